// The ways out of a running system, by who chose the address.
import type { DeploymentFacts } from '../domain/deps.ts';
import { openFixedClient, openGuardedClient } from '../engine/egress/http-client.ts';
import type { Egress } from '../engine/ports.ts';
import { providerOrigins } from '../providers/origins.ts';

export const openEgress = ({ kind }: DeploymentFacts): Egress => ({
  guarded: openGuardedClient({ loopback: kind === 'local' }),
  providers: openFixedClient(providerOrigins()),
});
