import { onHttp } from '../../runtime/on-http.ts';
import { usersApi } from './app.ts';

export const handler = onHttp(usersApi);
