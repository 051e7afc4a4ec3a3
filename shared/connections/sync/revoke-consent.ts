// Gives a consent back to the provider after a disconnect, or after its user was deleted: tried for a day, after which the tokens are erased all the same. It is work of the connection's one writer, since both use tokens that rotate.
import { EngineUnavailable } from '../../platform/ports.ts';
import { grantOf } from '../../providers/adapters.ts';
import type { Deps } from '../../system/deps.ts';
import { openTokens } from '../client/held-tokens.ts';
import { configuredForWork, personLine } from '../client/person-line.ts';
import { backoffMs } from '../client/sync-backoff.ts';
import { OutOfBudget, Superseded, TokenRefused } from '../client/sync-errors.ts';
import { connectionRows } from '../connection-rows.ts';
import { maxRevokingMs, type Revocation, revocationRows } from '../revocation-rows.ts';

/** Does nothing when it is not due, or done. */
export async function revokeConsent(deps: Deps, user: string, device: string): Promise<void> {
  const now = deps.clock.now();
  const row = await revocationRows(deps.store).of(user, device);
  if (!row || row.nextMs > now) return;
  try {
    if (await isLastOfAccount(deps, row)) await revoke(deps, row, now);
  } catch (error) {
    if (error instanceof Superseded) return;
    if (error instanceof EngineUnavailable) throw error;
    // A refused token has nothing left to take back.
    if (!(error instanceof TokenRefused)) return tryLater(deps, row, error);
  }
  await revocationRows(deps.store).end(row);
}

/** Another device lives by the same account: what is taken back for one is taken back for both. */
const isLastOfAccount = async ({ store }: Deps, { provider, env, vendorAccount }: Revocation): Promise<boolean> =>
  (await connectionRows(store).linkedTo(provider, env, vendorAccount)).length === 0;

async function revoke(deps: Deps, row: Revocation, startedMs: number): Promise<void> {
  const configured = await configuredForWork(deps, row);
  if (!configured) throw new Error('this deployment cannot speak to the provider');
  const grant = grantOf(row.provider);
  const line = personLine(deps, configured, { ...row, startedMs });
  const tokens = openTokens(deps, row, { grant }, configured, line, (sealed, before) =>
    revocationRows(deps.store).renew(row, before, sealed),
  );
  await line.plainly(grant.revoke(await tokens.current()));
}

async function tryLater(deps: Deps, row: Revocation, error: unknown): Promise<void> {
  const now = deps.clock.now();
  const endMs = row.endedMs + maxRevokingMs;
  const isOver = now >= endMs;
  // Its place in line is in front of everybody who asks for data.
  const inLine = error instanceof OutOfBudget ? error : undefined;
  const failures = row.failures + (inLine ? 0 : 1);
  if (!inLine || isOver)
    deps.log('warn', isOver ? 'revocation_given_up' : 'revocation_failed', {
      provider: row.provider,
      env: row.env,
      device_id: row.device,
      failures,
      message: error instanceof Error ? error.message : 'unknown',
    });
  if (isOver) return revocationRows(deps.store).end(row);
  const againMs = inLine?.againMs ?? now + backoffMs(failures, deps.random.bytes(2));
  await revocationRows(deps.store).later(row, { failures, turn: 'late' }, Math.min(againMs, endMs));
}
