// The sandbox's vendor as an HTTP client: asked at the addresses of the real ones, answered in this process.

import type { HttpClient } from '../../platform/ports.ts';
import type { Deps } from '../../system/deps.ts';
import { openCloud } from './open-cloud.ts';
import type { SandboxVendor } from './server.ts';

/** The dependencies are only complete once this is among them. */
export function sandboxClient(deps: () => Deps): HttpClient {
  let vendor: SandboxVendor | undefined;
  return {
    async send({ method, url, headers = {}, body = '' }) {
      vendor ??= await openCloud(deps());
      const {
        status,
        headers: told,
        text,
      } = await vendor.handle({
        method,
        url,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
        body: typeof body === 'string' ? body : Buffer.from(body).toString(),
      });
      return { kind: 'answered', status, headers: { ...told }, body: Buffer.from(text) };
    },
  };
}
