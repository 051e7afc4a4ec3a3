import { onHttp } from '../../runtime/on-http.ts';
import { webhooksApi } from './app.ts';

export const handler = onHttp(webhooksApi);
