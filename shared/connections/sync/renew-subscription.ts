// Keeps a provider's pushes to this deployment coming: a subscription that expires is renewed in
// time.

import type { CloudProviderId } from '../../catalog/provider.ts';
import { EngineUnavailable } from '../../platform/ports.ts';
import { getProviderAdapter } from '../../providers/adapters.ts';
import type { SubscriptionState } from '../../providers/kit/adapter.ts';
import type { Environment } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { getConfiguredProvider } from '../client/configured-provider.ts';
import { createProviderClient } from '../client/provider-client.ts';
import { derivePushKeys, openSubscriptionSecret, pushPath, sealSubscriptionSecret } from '../client/push-keys.ts';
import { openRequestBudget } from '../client/request-budget.ts';
import { backoffMs } from '../client/sync-backoff.ts';
import { type SubscriptionRow, subscriptionRows } from '../subscription-rows.ts';

const maxRequestingMs = 45_000;
const minRenewalMs = 60_000;

/** Does nothing when the renewal is not due. */
export async function renewSubscription(deps: Deps, provider: CloudProviderId, env: Environment): Promise<void> {
  const { store, clock, random } = deps;
  const now = clock.now();
  const row = await subscriptionRows(store).find(provider, env);
  if (!row || row.renewMs > now) return;
  try {
    const { ids, secret, renewMs } = await subscribe(deps, provider, env, row);
    const sealed = secret === undefined ? {} : { secret: sealSubscriptionSecret(deps, secret, provider, env) };
    const change = { ids, ...sealed, failures: 0 };
    await subscriptionRows(store).reschedule(env, provider, row, change, Math.max(renewMs, now + minRenewalMs));
  } catch (error) {
    if (error instanceof EngineUnavailable) throw error;
    const failures = row.failures + 1;
    deps.log('error', 'subscription_renewal_failed', {
      provider,
      env,
      failures,
      detail: error instanceof Error ? error.message : 'unknown',
    });
    await subscriptionRows(store).reschedule(
      env,
      provider,
      row,
      { failures },
      clock.now() + backoffMs(failures, random.bytes(2)),
    );
  }
}

async function subscribe(
  deps: Deps,
  provider: CloudProviderId,
  env: Environment,
  row: SubscriptionRow,
): Promise<SubscriptionState> {
  const { grant, subscriptions } = getProviderAdapter(provider);
  const configured = await getConfiguredProvider(deps, provider, env);
  if (!configured) throw new Error('this deployment has no credentials for the provider');
  if (!subscriptions?.ensureForDeployment)
    throw new Error('this provider does not support deployment-wide subscriptions');
  const nowMs = deps.clock.now();
  const budget = openRequestBudget(deps, { limits: configured.limits, provider, userKey: 'deployment' });
  const client = createProviderClient(deps, configured, grant, { allowance: budget, untilMs: nowMs + maxRequestingMs });
  const known = await readKnownSubscription(deps, provider, env, row);
  return client.withoutToken(
    subscriptions.ensureForDeployment({
      credentials: configured.credentials,
      callbackUrl: (deps.deployment.baseUrl ?? row.origin) + pushPath(deps, provider, env),
      verificationToken: derivePushKeys(deps, provider, env).verificationToken,
      known,
      nowMs,
    }),
  );
}

async function readKnownSubscription(
  deps: Deps,
  provider: CloudProviderId,
  env: Environment,
  { ids, secret: sealed, renewMs }: SubscriptionRow,
): Promise<SubscriptionState | undefined> {
  if (!ids) return undefined;
  const secret = sealed === undefined ? undefined : openSubscriptionSecret(deps, sealed, provider, env);
  return { ids, ...(secret === undefined ? {} : { secret }), renewMs };
}
