// The outbound HTTP clients of a running system, by who chose the address.

import { createFixedOriginClient, createGuardedClient } from '../../shared/platform/egress/http-client.ts';
import type { Egress, HttpClient } from '../../shared/platform/ports.ts';
import { providerOrigins } from '../../shared/providers/origins.ts';
import type { DeploymentFacts } from '../../shared/system/deps.ts';

export const createEgress = ({ kind }: DeploymentFacts, sandbox: HttpClient): Egress => {
  const clientsByOrigins = new Map<string, HttpClient>();
  return {
    guarded: createGuardedClient({ loopback: kind === 'local' }),
    providers: createFixedOriginClient(providerOrigins()),
    forOrigins(origins) {
      const key = [...origins].sort().join(' ');
      const client = clientsByOrigins.get(key) ?? createFixedOriginClient(origins);
      clientsByOrigins.set(key, client);
      return client;
    },
    sandbox,
  };
};
