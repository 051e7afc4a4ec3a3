import { onHttp } from '../../runtime/on-http.ts';
import { referenceApi } from './app.ts';

export const handler = onHttp(referenceApi);
