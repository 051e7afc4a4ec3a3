import { onHttp } from '../../../shared/runtime/on-http.ts';
import { dataApi } from './app.ts';

export const handler = onHttp(dataApi);
