import { onHttp } from '../../../shared/runtime/on-http.ts';
import { joinApi } from './app.ts';

export const handler = onHttp(joinApi);
