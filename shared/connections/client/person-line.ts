// A line to the vendor on behalf of one person, with what this deployment was given by it.

import type { CloudProviderId } from '../../catalog/provider.ts';
import { grantOf } from '../../providers/adapters.ts';
import type { Environment } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import type { VendorTurn } from '../vendor-limit-rows.ts';
import { openAllowance } from './allowance.ts';
import { type ConfiguredProvider, configuredProvider, Misconfigured } from './configured.ts';
import { openLine, type VendorLine } from './vendor-line.ts';

/** No request is begun after it: what it brings must still be written in a worker's life. */
const mostAskingMs = 45_000;
/** And none of those that a person waits for: an answer to the last one still reaches them. */
const mostWaitingMs = 15_000;

/** Undefined, and an error in the log, where it cannot be spoken to. */
export async function configuredForWork(
  deps: Deps,
  { provider, env }: { provider: CloudProviderId; env: Environment },
): Promise<ConfiguredProvider | undefined> {
  try {
    const configured = await configuredProvider(deps, provider, env);
    if (!configured) deps.log('error', 'a provider with connected devices has no credentials', { provider, env });
    return configured;
  } catch (error) {
    if (!(error instanceof Misconfigured)) throw error;
    deps.log('error', 'a provider is misconfigured', { provider, message: error.message });
    return undefined;
  }
}

export function personLine(
  deps: Deps,
  configured: ConfiguredProvider,
  { vendorAccount, turn, startedMs }: { vendorAccount: string | null; turn: VendorTurn; startedMs: number },
): VendorLine {
  const { provider, limits } = configured;
  const person = deps.keyring.hash('vendor-person', `${provider} ${vendorAccount}`);
  const allowance = openAllowance(deps, { limits, provider, person, turn });
  return openLine(deps, configured, grantOf(provider), { allowance, untilMs: startedMs + mostAskingMs });
}

/** For a device whose person waits until it is connected. Only what all share is counted: whose account it is shows in the end. */
export function connectingLine(
  deps: Deps,
  configured: ConfiguredProvider,
  { device, startedMs }: { device: string; startedMs: number },
): VendorLine {
  const { provider } = configured;
  const limits = configured.limits.filter(({ per }) => per === 'deployment');
  const allowance = openAllowance(deps, { limits, provider, person: device, isUrgent: true });
  return openLine(deps, configured, grantOf(provider), { allowance, untilMs: startedMs + mostWaitingMs });
}
