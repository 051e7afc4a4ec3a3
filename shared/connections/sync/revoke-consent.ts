// Gives a consent back to the provider after a disconnect, or after its user was deleted: tried for a day, after which the tokens are erased all the same. It is work of the connection's one writer, since both use tokens that rotate.
import { EngineUnavailable } from '../../platform/ports.ts';
import { getGrantAdapter } from '../../providers/adapters.ts';
import type { Deps } from '../../system/deps.ts';
import { backoffMs } from '../client/sync-backoff.ts';
import { OutOfBudget, Superseded, TokenRefused } from '../client/sync-errors.ts';
import { createUserClient, getConfiguredProviderOrLog } from '../client/user-client.ts';
import { openTokens } from '../client/user-tokens.ts';
import { connectionRows } from '../connection-rows.ts';
import { maxRevocationMs, type Revocation, revocationRows } from '../revocation-rows.ts';

/** Does nothing when it is not due, or done. */
export async function revokeConsent(deps: Deps, user: string, device: string): Promise<void> {
  const now = deps.clock.now();
  const row = await revocationRows(deps.store).find(user, device);
  if (!row || row.nextMs > now) return;
  try {
    if (await isLastOfAccount(deps, row)) await revoke(deps, row, now);
  } catch (error) {
    if (error instanceof Superseded) return;
    if (error instanceof EngineUnavailable) throw error;
    // A refused token has nothing left to take back.
    if (!(error instanceof TokenRefused)) return tryLater(deps, row, error);
  }
  await revocationRows(deps.store).remove(row);
}

/** Another device lives by the same account: what is taken back for one is taken back for both. */
const isLastOfAccount = async ({ store }: Deps, { provider, env, providerAccount }: Revocation): Promise<boolean> =>
  (await connectionRows(store).listLinkedDevices(provider, env, providerAccount)).length === 0;

async function revoke(deps: Deps, row: Revocation, startedMs: number): Promise<void> {
  const configured = await getConfiguredProviderOrLog(deps, row);
  if (!configured) throw new Error('this deployment cannot speak to the provider');
  const grant = getGrantAdapter(row.provider);
  const client = createUserClient(deps, configured, { ...row, startedMs });
  const tokens = openTokens(deps, row, { grant }, configured, client, (sealed, before) =>
    revocationRows(deps.store).renewGrant(row, before, sealed),
  );
  await client.withoutToken(grant.revoke(await tokens.current()));
}

async function tryLater(deps: Deps, row: Revocation, error: unknown): Promise<void> {
  const now = deps.clock.now();
  const endMs = row.endedMs + maxRevocationMs;
  const isOver = now >= endMs;
  // Its place in line is in front of everybody who asks for data.
  const budgetError = error instanceof OutOfBudget ? error : undefined;
  const failures = row.failures + (budgetError ? 0 : 1);
  if (!budgetError || isOver)
    deps.log('warn', isOver ? 'revocation_given_up' : 'revocation_failed', {
      provider: row.provider,
      env: row.env,
      device_id: row.device,
      failures,
      message: error instanceof Error ? error.message : 'unknown',
    });
  if (isOver) return revocationRows(deps.store).remove(row);
  const againMs = budgetError?.retryAtMs ?? now + backoffMs(failures, deps.random.bytes(2));
  await revocationRows(deps.store).reschedule(row, { failures, turn: 'late' }, Math.min(againMs, endMs));
}
