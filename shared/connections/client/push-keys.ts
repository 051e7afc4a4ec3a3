// The keys that verify a provider's pushes, and the path the pushes are sent to. All are derived,
// except for a secret that a provider issues with its subscription.

import type { CloudProviderId } from '../../catalog/provider.ts';
import { providerDescriptors } from '../../providers/catalog.ts';
import type { PushKeys } from '../../providers/kit/push.ts';
import type { Environment } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { subscriptionRows } from '../subscription-rows.ts';
import type { ConfiguredProvider } from './configured-provider.ts';

type DerivedPushKeys = Pick<PushKeys, 'pathSecret' | 'verificationToken'>;

export const derivePushKeys = (
  { keyring }: Pick<Deps, 'keyring'>,
  provider: CloudProviderId,
  env: Environment,
): DerivedPushKeys => ({
  pathSecret: keyring.hash('push-path', `${provider} ${env}`),
  verificationToken: keyring.hash('push-verification', `${provider} ${env}`),
});

/** The path under this deployment's own address. */
export function pushPath(deps: Pick<Deps, 'keyring'>, provider: CloudProviderId, env: Environment): string {
  const path = `/v1/providers/${provider}/push`;
  return providerDescriptors[provider].push?.hasSecretPath
    ? `${path}/${derivePushKeys(deps, provider, env).pathSecret}`
    : path;
}

export async function readPushKeys(
  deps: Pick<Deps, 'keyring' | 'store'>,
  { provider, env, credentials }: Pick<ConfiguredProvider, 'provider' | 'env' | 'credentials'>,
): Promise<PushKeys> {
  return {
    credentials,
    ...derivePushKeys(deps, provider, env),
    subscriptionSecret: await readSubscriptionSecret(deps, provider, env),
  };
}

/**
 * Sealed with the keyring rather than the vault: the function that verifies pushes is public and
 * must not be able to open users' tokens.
 */
export const sealSubscriptionSecret = (
  { keyring }: Pick<Deps, 'keyring'>,
  secret: string,
  provider: CloudProviderId,
  env: Environment,
): string => keyring.seal('push-subscription', secret, `${provider} ${env}`);

export const openSubscriptionSecret = (
  { keyring }: Pick<Deps, 'keyring'>,
  sealed: string,
  provider: CloudProviderId,
  env: Environment,
): string | undefined => keyring.open('push-subscription', sealed, `${provider} ${env}`);

async function readSubscriptionSecret(
  deps: Pick<Deps, 'keyring' | 'store'>,
  provider: CloudProviderId,
  env: Environment,
): Promise<string | undefined> {
  // The simulated provider has no subscriptions. Both sides derive its signing secret.
  if (env === 'sandbox') return deps.keyring.hash('push-subscription', provider);
  if (!providerDescriptors[provider].push?.hasSubscriptionSecret) return undefined;
  const sealed = (await subscriptionRows(deps.store).find(provider, env))?.secret;
  return sealed === undefined ? undefined : openSubscriptionSecret(deps, sealed, provider, env);
}
