// Gives a consent back to the vendor after a disconnect: tried for a day, after which the tokens are erased all the same.
import { EngineUnavailable } from '../../engine/ports.ts';
import { adapterOf } from '../../providers/adapters.ts';
import { conditionalCommit, conditionalWrite } from '../../store/conditional-write.ts';
import { connectionRows } from '../../store/connections.ts';
import { type SyncRow, syncRows } from '../../store/syncs.ts';
import type { Deps } from '../deps.ts';
import type { ConfiguredProvider } from '../providers/configured.ts';
import { LeaseLost, TokenRefused } from './breaks.ts';
import { openTokens } from './held-tokens.ts';
import { backoffMs } from './sync-backoff.ts';
import type { VendorLine } from './vendor-line.ts';

const mostMs = 24 * 3_600_000;

/** `to` is undefined where the deployment has no credentials for the vendor any more. */
export async function revokeConsent(
  deps: Deps,
  row: SyncRow,
  to: { configured: ConfiguredProvider; line: VendorLine } | undefined,
): Promise<void> {
  try {
    if (await isLastOfAccount(deps, row)) await revoke(deps, row, to);
  } catch (error) {
    if (error instanceof LeaseLost) return;
    if (error instanceof EngineUnavailable) throw error;
    // Whoever is not let in has nothing left to take back.
    if (!(error instanceof TokenRefused)) return tryLater(deps, row, error);
  }
  await conditionalCommit(deps.store, syncRows(deps.store).ending(row));
}

/** Another device lives by the same account: what is taken back for one is taken back for both. */
async function isLastOfAccount({ store }: Deps, { provider, env, vendorAccount, grant }: SyncRow): Promise<boolean> {
  if (vendorAccount === null || grant === null) return false;
  return (await connectionRows(store).linkedTo(provider, env, vendorAccount)).length === 0;
}

async function revoke(
  deps: Deps,
  row: SyncRow,
  to: { configured: ConfiguredProvider; line: VendorLine } | undefined,
): Promise<void> {
  if (!to) throw new Error('this deployment has no credentials for the vendor');
  const adapter = adapterOf(row.provider);
  const tokens = openTokens(deps, row, adapter, to.configured, to.line);
  await to.line.plainly(adapter.grant.revoke(await tokens.current()));
}

async function tryLater(deps: Deps, row: SyncRow, error: unknown): Promise<void> {
  const { store, clock } = deps;
  const now = clock.now();
  const failures = row.failures + 1;
  const isOver = now - row.endedMs >= mostMs;
  const message = error instanceof Error ? error.message : 'unknown';
  deps.log(
    'warn',
    isOver ? 'a consent could not be given back; its tokens are erased' : 'a consent could not be given back yet',
    {
      provider: row.provider,
      env: row.env,
      device_id: row.device,
      failures,
      message,
    },
  );
  if (isOver) await conditionalCommit(store, syncRows(store).ending(row));
  else {
    const nextMs = now + backoffMs(failures, deps.random.bytes(2));
    await conditionalWrite(store.table, syncRows(store).releasing(row, { failures }, nextMs));
  }
}
