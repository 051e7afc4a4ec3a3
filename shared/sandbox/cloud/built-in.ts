// The vendor that a deployment brings along for its sandbox: lives instead of people, and nothing stored but what was taken back.

import type { Deps } from '../../domain/deps.ts';
import { sandboxCredentials } from '../../domain/providers/configured.ts';
import { addDays, todayIn } from '../../model/local-day.ts';
import type { CloudProviderId } from '../../model/provider.ts';
import { sandboxHistoryDays } from '../../model/sandbox.ts';
import { providers } from '../../providers/catalog.ts';
import { sandboxGrantRows } from '../../store/sandbox-grants.ts';
import { lifeOfAccount, shownAccount } from './account.ts';
import { shapesOf } from './every-shape.ts';
import { lifeDays } from './living.ts';
import { type SandboxVendor, sandboxVendor } from './server.ts';
import type { ItemsOf } from './shapes.ts';

export const builtInVendor = (deps: Pick<Deps, 'keyring' | 'clock' | 'random' | 'store'>): SandboxVendor =>
  sandboxVendor({
    keyring: deps.keyring,
    clock: deps.clock,
    random: deps.random,
    ledger: sandboxGrantRows(deps.store),
    shown: shownAccount,
    credentials: (provider) => sandboxCredentials(deps, provider),
    shapes: shapesOf,
    items: (provider, account) => itemsOfLife(provider, account, deps.clock.now()),
  });

export function itemsOfLife(provider: CloudProviderId, account: string, nowMs: number): ItemsOf {
  const life = lifeOfAccount(account);
  const shapes = shapesOf(provider);
  if (!life || !shapes) return () => [];
  const today = todayIn(life.timezone, nowMs);
  const everything = { from: addDays(today, -sandboxHistoryDays), to: addDays(today, 1) };
  return (resource, dates = everything) => {
    const days = lifeDays({ ...life, worn: providers[provider].deviceType }, dates, nowMs);
    return shapes.items(resource, days, shownAccount(provider, account));
  };
}
