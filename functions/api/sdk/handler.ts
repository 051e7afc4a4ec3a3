import { onHttp } from '../../../shared/runtime/on-http.ts';
import { sdkApi } from './app.ts';

export const handler = onHttp(sdkApi);
