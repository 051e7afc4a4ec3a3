import { onHttp } from '../../runtime/on-http.ts';
import { eventsApi } from './app.ts';

export const handler = onHttp(eventsApi);
