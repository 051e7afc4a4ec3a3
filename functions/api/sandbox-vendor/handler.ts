import { onHttp } from '../../runtime/on-http.ts';
import { sandboxVendorApi } from './app.ts';

export const handler = onHttp(sandboxVendorApi);
