import { onHttp } from '../../runtime/on-http.ts';
import { sdkApi } from './app.ts';

export const handler = onHttp(sdkApi);
