import { onHttp } from '../../runtime/on-http.ts';
import { tokensApi } from './app.ts';

export const handler = onHttp(tokensApi);
