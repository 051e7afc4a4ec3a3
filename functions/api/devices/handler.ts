import { onHttp } from '../../runtime/on-http.ts';
import { devicesApi } from './app.ts';

export const handler = onHttp(devicesApi);
