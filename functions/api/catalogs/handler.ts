import { onHttp } from '../../runtime/on-http.ts';
import { catalogsApi } from './app.ts';

export const handler = onHttp(catalogsApi);
