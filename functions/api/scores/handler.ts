import { onHttp } from '../../runtime/on-http.ts';
import { scoresApi } from './app.ts';

export const handler = onHttp(scoresApi);
