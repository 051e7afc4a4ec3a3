// The ways out of a running system, by who chose the address.
import type { DeploymentFacts } from '../domain/deps.ts';
import { openFixedClient, openGuardedClient } from '../engine/egress/http-client.ts';
import type { Egress, HttpClient } from '../engine/ports.ts';
import { providerOrigins } from '../providers/origins.ts';

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
