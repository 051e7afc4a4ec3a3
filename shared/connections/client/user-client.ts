// Creates clients that call a provider on behalf of one user, with this deployment's credentials.

import type { CloudProviderId } from '../../catalog/provider.ts';
import { getGrantAdapter } from '../../providers/adapters.ts';
import type { Environment } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import type { ProviderTurn } from '../provider-limit-rows.ts';
import { type ConfiguredProvider, getConfiguredProvider, ProviderMisconfigured } from './configured-provider.ts';
import { createProviderClient, type ProviderClient } from './provider-client.ts';
import { openRequestBudget } from './request-budget.ts';

/**
 * No request starts after this time, so that its result can still be written before the worker
 * stops.
 */
const maxRequestingMs = 45_000;
/**
 * The same limit for requests that a user waits for: the outcome still reaches the user in time.
 */
const maxInteractiveMs = 15_000;

/** Returns undefined and logs an error when the provider cannot be called. */
export async function getConfiguredProviderOrLog(
  deps: Deps,
  { provider, env }: { provider: CloudProviderId; env: Environment },
): Promise<ConfiguredProvider | undefined> {
  try {
    const configured = await getConfiguredProvider(deps, provider, env);
    if (!configured) deps.log('error', 'provider_credentials_missing', { provider, env });
    return configured;
  } catch (error) {
    if (!(error instanceof ProviderMisconfigured)) throw error;
    deps.log('error', 'provider_misconfigured', { provider, env, detail: error.message });
    return undefined;
  }
}

export function createUserClient(
  deps: Deps,
  configured: ConfiguredProvider,
  { providerAccount, turn, startedMs }: { providerAccount: string | null; turn: ProviderTurn; startedMs: number },
): ProviderClient {
  const { provider, limits } = configured;
  const userKey = deps.keyring.hash('provider-user', `${provider} ${providerAccount}`);
  const budget = openRequestBudget(deps, { limits, provider, userKey, turn });
  return createProviderClient(deps, configured, getGrantAdapter(provider), {
    allowance: budget,
    untilMs: startedMs + maxRequestingMs,
  });
}

/**
 * For a device that a user is waiting to connect. Only the limits that all users share count,
 * because the provider account is not known until the end.
 */
export function createConnectClient(
  deps: Deps,
  configured: ConfiguredProvider,
  { device, startedMs }: { device: string; startedMs: number },
): ProviderClient {
  const { provider } = configured;
  const limits = configured.limits.filter(({ per }) => per === 'deployment');
  const budget = openRequestBudget(deps, { limits, provider, userKey: device, isUrgent: true });
  return createProviderClient(deps, configured, getGrantAdapter(provider), {
    allowance: budget,
    untilMs: startedMs + maxInteractiveMs,
  });
}
