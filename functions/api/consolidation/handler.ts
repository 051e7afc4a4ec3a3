import { onHttp } from '../../../shared/runtime/on-http.ts';
import { consolidationApi } from './app.ts';

export const handler = onHttp(consolidationApi);
