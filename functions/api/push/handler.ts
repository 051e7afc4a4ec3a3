import { onHttp } from '../../runtime/on-http.ts';
import { pushApi } from './app.ts';

export const handler = onHttp(pushApi);
