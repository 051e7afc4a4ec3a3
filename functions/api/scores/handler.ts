import { onHttp } from '../../../shared/runtime/on-http.ts';
import { scoresApi } from './app.ts';

export const handler = onHttp(scoresApi);
