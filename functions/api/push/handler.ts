import { onHttp } from '../../../shared/runtime/on-http.ts';
import { pushApi } from './app.ts';

export const handler = onHttp(pushApi);
