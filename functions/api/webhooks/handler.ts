import { onHttp } from '../../../shared/runtime/on-http.ts';
import { webhooksApi } from './app.ts';

export const handler = onHttp(webhooksApi);
