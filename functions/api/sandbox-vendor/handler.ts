import { onHttp } from '../../../shared/runtime/on-http.ts';
import { sandboxVendorApi } from './app.ts';

export const handler = onHttp(sandboxVendorApi);
