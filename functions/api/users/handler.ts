import { onHttp } from '../../../shared/runtime/on-http.ts';
import { usersApi } from './app.ts';

export const handler = onHttp(usersApi);
