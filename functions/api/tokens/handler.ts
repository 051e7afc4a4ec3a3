import { onHttp } from '../../../shared/runtime/on-http.ts';
import { tokensApi } from './app.ts';

export const handler = onHttp(tokensApi);
