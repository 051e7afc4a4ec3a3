// The simulated provider as an HTTP client: it is called at the URLs of the real providers and
// answers in this process.

import type { HttpClient } from '../../platform/ports.ts';
import type { Deps } from '../../system/deps.ts';
import { openBuiltInProvider } from './open-built-in-provider.ts';
import type { SimulatedProvider } from './simulated-provider.ts';

/** Takes a function, because the dependencies are complete only once this client is among them. */
export function createSandboxClient(deps: () => Deps): HttpClient {
  let provider: SimulatedProvider | undefined;
  return {
    async send({ method, url, headers = {}, body = '' }) {
      provider ??= await openBuiltInProvider(deps());
      const {
        status,
        headers: responseHeaders,
        text,
      } = await provider.handle({
        method,
        url,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
        body: typeof body === 'string' ? body : Buffer.from(body).toString(),
      });
      return { kind: 'answered', status, headers: { ...responseHeaders }, body: Buffer.from(text) };
    },
  };
}
