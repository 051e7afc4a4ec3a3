import { onHttp } from '../../runtime/on-http.ts';
import { teamApi } from './app.ts';

export const handler = onHttp(teamApi);
