// The sandbox's vendor as an HTTP client: asked at the addresses of the real ones, answered in this process.
import type { Deps } from '../../domain/deps.ts';
import { EngineUnavailable, type HttpClient } from '../../engine/ports.ts';

/** The dependencies are only complete once this is among them. */
export const sandboxClient = (_deps: () => Deps): HttpClient => ({
  send: async () => {
    throw new EngineUnavailable('the vendor of the sandbox is not there yet');
  },
});
