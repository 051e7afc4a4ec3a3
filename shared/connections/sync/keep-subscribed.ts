// Keeps a vendor telling this deployment of its people: what it forgets after a while is renewed in time.

import type { CloudProviderId } from '../../catalog/provider.ts';
import { EngineUnavailable } from '../../platform/ports.ts';
import { adapterOf } from '../../providers/adapters.ts';
import type { Subscribed } from '../../providers/kit/adapter.ts';
import type { Environment } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { openAllowance } from '../client/allowance.ts';
import { configuredProvider } from '../client/configured.ts';
import { derivedKeys, openSubscriptionSecret, pushPath, sealSubscriptionSecret } from '../client/push-keys.ts';
import { backoffMs } from '../client/sync-backoff.ts';
import { openLine } from '../client/vendor-line.ts';
import { type SubscriptionRow, subscriptionRows } from '../subscription-rows.ts';

const mostAskingMs = 45_000;
const soonestMs = 60_000;

/** Does nothing when it is not due. */
export async function keepSubscribed(deps: Deps, provider: CloudProviderId, env: Environment): Promise<void> {
  const { store, clock, random } = deps;
  const now = clock.now();
  const row = await subscriptionRows(store).of(provider, env);
  if (!row || row.againMs > now) return;
  try {
    const { ids, secret, againMs } = await subscribed(deps, provider, env, row);
    const sealed = secret === undefined ? {} : { secret: sealSubscriptionSecret(deps, secret, provider, env) };
    const change = { ids, ...sealed, failures: 0 };
    await subscriptionRows(store).settle(env, provider, row, change, Math.max(againMs, now + soonestMs));
  } catch (error) {
    if (error instanceof EngineUnavailable) throw error;
    const failures = row.failures + 1;
    deps.log('error', 'a vendor could not be asked for pushes; its people are polled meanwhile', {
      provider,
      env,
      failures,
      message: error instanceof Error ? error.message : 'unknown',
    });
    await subscriptionRows(store).settle(
      env,
      provider,
      row,
      { failures },
      clock.now() + backoffMs(failures, random.bytes(2)),
    );
  }
}

async function subscribed(
  deps: Deps,
  provider: CloudProviderId,
  env: Environment,
  row: SubscriptionRow,
): Promise<Subscribed> {
  const { grant, subscriptions } = adapterOf(provider);
  const configured = await configuredProvider(deps, provider, env);
  if (!configured) throw new Error('this deployment has no credentials for the vendor');
  if (!subscriptions?.ofDeployment) throw new Error('this vendor takes no subscriptions');
  const nowMs = deps.clock.now();
  const allowance = openAllowance(deps, { limits: configured.limits, provider, person: 'deployment' });
  const line = openLine(deps, configured, grant, { allowance, untilMs: nowMs + mostAskingMs });
  const known = await knownOf(deps, provider, env, row);
  return line.plainly(
    subscriptions.ofDeployment({
      credentials: configured.credentials,
      callbackUrl: (deps.place.baseUrl ?? row.origin) + pushPath(deps, provider, env),
      verificationToken: derivedKeys(deps, provider, env).verificationToken,
      known,
      nowMs,
    }),
  );
}

async function knownOf(
  deps: Deps,
  provider: CloudProviderId,
  env: Environment,
  { ids, secret: sealed, againMs }: SubscriptionRow,
): Promise<Subscribed | undefined> {
  if (!ids) return undefined;
  const secret = sealed === undefined ? undefined : openSubscriptionSecret(deps, sealed, provider, env);
  return { ids, ...(secret === undefined ? {} : { secret }), againMs };
}
