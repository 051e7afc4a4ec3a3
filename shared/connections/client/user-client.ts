// A line to the vendor on behalf of one person, with what this deployment was given by it.

import type { CloudProviderId } from '../../catalog/provider.ts';
import { getGrantAdapter } from '../../providers/adapters.ts';
import type { Environment } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import type { ProviderTurn } from '../provider-limit-rows.ts';
import { type ConfiguredProvider, getConfiguredProvider, ProviderMisconfigured } from './configured-provider.ts';
import { createProviderClient, type ProviderClient } from './provider-client.ts';
import { openRequestBudget } from './request-budget.ts';

/** No request is begun after it: what it brings must still be written in a worker's life. */
const maxRequestingMs = 45_000;
/** And none of those that a person waits for: an answer to the last one still reaches them. */
const maxInteractiveMs = 15_000;

/** Undefined, and an error in the log, where it cannot be spoken to. */
export async function getConfiguredProviderOrLog(
  deps: Deps,
  { provider, env }: { provider: CloudProviderId; env: Environment },
): Promise<ConfiguredProvider | undefined> {
  try {
    const configured = await getConfiguredProvider(deps, provider, env);
    if (!configured) deps.log('error', 'a provider with connected devices has no credentials', { provider, env });
    return configured;
  } catch (error) {
    if (!(error instanceof ProviderMisconfigured)) throw error;
    deps.log('error', 'a provider is misconfigured', { provider, message: error.message });
    return undefined;
  }
}

export function createUserClient(
  deps: Deps,
  configured: ConfiguredProvider,
  { providerAccount, turn, startedMs }: { providerAccount: string | null; turn: ProviderTurn; startedMs: number },
): ProviderClient {
  const { provider, limits } = configured;
  const userKey = deps.keyring.hash('vendor-person', `${provider} ${providerAccount}`);
  const budget = openRequestBudget(deps, { limits, provider, userKey, turn });
  return createProviderClient(deps, configured, getGrantAdapter(provider), {
    allowance: budget,
    untilMs: startedMs + maxRequestingMs,
  });
}

/** For a device whose person waits until it is connected. Only what all share is counted: whose account it is shows in the end. */
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
