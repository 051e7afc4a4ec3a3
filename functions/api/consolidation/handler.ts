import { onHttp } from '../../runtime/on-http.ts';
import { consolidationApi } from './app.ts';

export const handler = onHttp(consolidationApi);
