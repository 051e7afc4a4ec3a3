// The ways out of a running system, by who chose the address.

import { openFixedClient, openGuardedClient } from '../../shared/platform/egress/http-client.ts';
import type { Egress, HttpClient } from '../../shared/platform/ports.ts';
import { providerOrigins } from '../../shared/providers/origins.ts';
import type { DeploymentFacts } from '../../shared/system/deps.ts';

export const openEgress = ({ kind }: DeploymentFacts, sandbox: HttpClient): Egress => {
  const named = new Map<string, HttpClient>();
  return {
    guarded: openGuardedClient({ loopback: kind === 'local' }),
    providers: openFixedClient(providerOrigins()),
    named(origins) {
      const name = [...origins].sort().join(' ');
      const client = named.get(name) ?? openFixedClient(origins);
      named.set(name, client);
      return client;
    },
    sandbox,
  };
};
