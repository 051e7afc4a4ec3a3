// The vendor that a deployment brings along for its sandbox: lives instead of people, and nothing stored but what was taken back.

import type { CloudProviderId } from '../../catalog/provider.ts';
import { sandboxHistoryDays } from '../../catalog/sandbox.ts';
import { sandboxCredentials } from '../../connections/client/configured.ts';
import { addDays, todayIn } from '../../platform/time/local-day.ts';
import { providers } from '../../providers/catalog.ts';
import type { PushKeys } from '../../providers/kit/push.ts';
import type { Deps } from '../../system/deps.ts';
import { type BaselineDay, baselineBefore } from '../life/baseline.ts';
import { type SandboxLife, type SandboxUploads, sandboxDates, sandboxDays } from '../life/sandbox-day.ts';
import { shapesOf } from '../simulated-providers/every-shape.ts';
import type { ItemsOf, OutgoingPush } from '../simulated-providers/shapes.ts';
import { lifeOfAccount, shownAccount } from './account.ts';
import type { GrantLedger } from './ledger.ts';
import { lifeDay, lifeDays } from './living.ts';
import { type SandboxVendor, sandboxVendor } from './server.ts';

export interface BuiltInDeps extends Pick<Deps, 'keyring' | 'clock' | 'random'> {
  ledger: GrantLedger;
}

export interface BuiltInVendor extends SandboxVendor {
  /** What it sends by itself of what the account has lived since then; of all its past where there was nothing before. */
  news(provider: CloudProviderId, account: string, sinceMs: number | null, keys: PushKeys): OutgoingPush[];
  /**
   * What each device of a sandbox user uploads of the days since then; of the whole past where
   * there was nothing before.
   */
  uploads(life: SandboxLife, sinceMs: number | null, nowMs: number): SandboxUploads;
  /** What is usual for a new sandbox user, by so many days before its past. */
  baseline(life: SandboxLife, days: number, nowMs: number): Map<string, BaselineDay>;
}

export const builtInVendor = (deps: BuiltInDeps): BuiltInVendor => ({
  ...sandboxVendor({
    keyring: deps.keyring,
    clock: deps.clock,
    random: deps.random,
    ledger: deps.ledger,
    shown: shownAccount,
    credentials: (provider) => sandboxCredentials(deps, provider),
    shapes: shapesOf,
    items: (provider, account) => itemsOfLife(provider, account, deps.clock.now()),
  }),
  news: (provider, account, sinceMs, keys) => newsOf(provider, account, { sinceMs, nowMs: deps.clock.now() }, keys),
  uploads: (life, sinceMs, nowMs) =>
    sandboxDays({ ...life, dates: sandboxDates(life, sinceMs, nowMs), untilMs: nowMs }),
  baseline: (life, days, nowMs) => {
    const [first = todayIn(life.timezone, nowMs)] = sandboxDates(life, null, nowMs);
    return baselineBefore(life, first, days);
  },
});

export function itemsOfLife(provider: CloudProviderId, account: string, nowMs: number): ItemsOf {
  const life = lifeOfAccount(account);
  const shapes = shapesOf(provider);
  if (!life) return () => [];
  const today = todayIn(life.timezone, nowMs);
  const everything = { from: addDays(today, -sandboxHistoryDays), to: addDays(today, 1) };
  return (resource, dates = everything) => {
    const days = lifeDays({ ...life, worn: providers[provider].deviceType }, dates, nowMs);
    return shapes.items(resource, days, shownAccount(provider, account));
  };
}

function newsOf(
  provider: CloudProviderId,
  account: string,
  { sinceMs, nowMs }: { sinceMs: number | null; nowMs: number },
  keys: PushKeys,
): OutgoingPush[] {
  const life = lifeOfAccount(account);
  if (!life) return [];
  const worn = providers[provider].deviceType;
  const days = sandboxDates(life, sinceMs, nowMs).map((date) => lifeDay({ ...life, worn }, date, nowMs));
  return [...(shapesOf(provider).pushes?.(shownAccount(provider, account), days, keys, nowMs) ?? [])];
}
