import { onHttp } from '../../runtime/on-http.ts';
import { connectApi } from './app.ts';

export const handler = onHttp(connectApi);
