import { onHttp } from '../../runtime/on-http.ts';
import { dataApi } from './app.ts';

export const handler = onHttp(dataApi);
