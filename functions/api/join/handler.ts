import { onHttp } from '../../runtime/on-http.ts';
import { joinApi } from './app.ts';

export const handler = onHttp(joinApi);
