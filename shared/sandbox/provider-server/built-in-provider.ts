// The simulated provider that is built into a deployment for its sandbox. It simulates users, and
// stores only revocations.

import type { CloudProviderId } from '../../catalog/provider.ts';
import { sandboxHistoryDays } from '../../catalog/sandbox.ts';
import { sandboxCredentials } from '../../connections/client/configured-provider.ts';
import { addDays, todayIn } from '../../platform/time/local-day.ts';
import { providerDescriptors } from '../../providers/catalog.ts';
import type { PushKeys } from '../../providers/kit/push.ts';
import type { Deps } from '../../system/deps.ts';
import { type BaselineDay, buildBaseline } from '../life/baseline.ts';
import { buildSandboxUploads, countPastDays, listSandboxDates, type SandboxUploads } from '../life/sandbox-day.ts';
import type { SandboxProfile } from '../life/simulated-user.ts';
import type { ItemSource, OutgoingPush } from '../simulated-providers/simulator.ts';
import { getSimulator } from '../simulated-providers/simulators.ts';
import { getSimulatedFailure, parseSandboxAccount, toProviderAccount } from './account.ts';
import { simulateDay, simulateDays } from './simulate-days.ts';
import { createSimulatedProvider, type SimulatedProvider } from './simulated-provider.ts';
import type { GrantLedger } from './tokens.ts';

/** A push-only provider sends its past at once, so it sends at most this many days of it. */
const maxPushedDays = 31;

export interface BuiltInProviderDeps extends Pick<Deps, 'keyring' | 'clock' | 'random'> {
  ledger: GrantLedger;
}

export interface BuiltInProvider extends SimulatedProvider {
  /**
   * The pushes for everything that has happened since then, or for the whole past if nothing was
   * pushed before.
   */
  listPushes(provider: CloudProviderId, account: string, sinceMs: number | null, keys: PushKeys): OutgoingPush[];
  /**
   * The dates of a sandbox user with new data since then, or of the whole past if nothing was
   * uploaded before. Oldest first.
   */
  listDates(profile: SandboxProfile, sinceMs: number | null, nowMs: number): string[];
  /** The uploads of each device of a sandbox user for these dates. */
  listUploads(profile: SandboxProfile, dates: readonly string[], nowMs: number): SandboxUploads;
  /** The baseline of a new sandbox user: this many days before its past, unless that is as long. */
  buildBaseline(profile: SandboxProfile, days: number, nowMs: number): Map<string, BaselineDay>;
}

export const createBuiltInProvider = (deps: BuiltInProviderDeps): BuiltInProvider => ({
  ...createSimulatedProvider({
    keyring: deps.keyring,
    clock: deps.clock,
    random: deps.random,
    ledger: deps.ledger,
    toProviderAccount: toProviderAccount,
    credentials: (provider) => sandboxCredentials(deps, provider),
    getSimulator: getSimulator,
    createItemSource: (provider, account) => createItemSource(provider, account, deps.clock.now()),
  }),
  listPushes: (provider, account, sinceMs, keys) =>
    buildPushes(provider, account, { sinceMs, nowMs: deps.clock.now() }, keys),
  listDates: listSandboxDates,
  listUploads: (profile, dates, nowMs) => buildSandboxUploads({ ...profile, dates, untilMs: nowMs }),
  buildBaseline: (profile, days, nowMs) => {
    if (countPastDays(profile) >= days) return new Map();
    const [first = todayIn(profile.timezone, nowMs)] = listSandboxDates(profile, null, nowMs);
    return buildBaseline(profile, first, days);
  },
});

export function createItemSource(provider: CloudProviderId, account: string, nowMs: number): ItemSource {
  const profile = parseSandboxAccount(account);
  const shapes = getSimulator(provider);
  if (!profile) return () => [];
  const today = todayIn(profile.timezone, nowMs);
  const fullHistory = { from: addDays(today, -sandboxHistoryDays), to: addDays(today, 1) };
  return (resource, dates = fullHistory) => {
    const days = simulateDays({ ...profile, worn: providerDescriptors[provider].deviceType }, dates, nowMs);
    return shapes.listItems(resource, days, toProviderAccount(provider, account));
  };
}

function buildPushes(
  provider: CloudProviderId,
  account: string,
  { sinceMs, nowMs }: { sinceMs: number | null; nowMs: number },
  keys: PushKeys,
): OutgoingPush[] {
  const profile = parseSandboxAccount(account);
  const isFailing = getSimulatedFailure(account) !== undefined && sinceMs !== null;
  if (!profile || isFailing) return [];
  const worn = providerDescriptors[provider].deviceType;
  const days = listSandboxDates(profile, sinceMs, nowMs)
    .slice(-maxPushedDays)
    .map((date) => simulateDay({ ...profile, worn }, date, nowMs));
  return [...(getSimulator(provider).buildPushes?.(toProviderAccount(provider, account), days, keys, nowMs) ?? [])];
}
