// Revokes a consent at the provider after a disconnect, or after its user was deleted. It is
// attempted for a day, after which the tokens are erased all the same. The connection's only writer
// does this, because syncs and revocations use the same rotating tokens.
import { readSafeMessage } from '../../platform/error-outline.ts';
import { EngineUnavailable } from '../../platform/ports.ts';
import { getGrantAdapter } from '../../providers/adapters.ts';
import type { Deps } from '../../system/deps.ts';
import { backoffMs } from '../client/sync-backoff.ts';
import { OutOfBudget, Superseded, TokenRefused } from '../client/sync-errors.ts';
import { createUserClient, getConfiguredProviderOrLog } from '../client/user-client.ts';
import { openTokens } from '../client/user-tokens.ts';
import { connectionLogFields, connectionRows } from '../connection-rows.ts';
import { maxRevocationMs, type Revocation, revocationRows } from '../revocation-rows.ts';

/** Does nothing when the revocation is not due or already done. */
export async function revokeConsent(deps: Deps, user: string, device: string): Promise<void> {
  const now = deps.clock.now();
  const row = await revocationRows(deps.store).find(user, device);
  if (!row || row.nextMs > now) return;
  try {
    if (await isLastOfAccount(deps, row)) await revoke(deps, row, now);
  } catch (error) {
    if (error instanceof Superseded) return;
    if (error instanceof EngineUnavailable) throw error;
    // A refused token leaves nothing to revoke.
    if (!(error instanceof TokenRefused)) return tryLater(deps, row, error);
  }
  await revocationRows(deps.store).remove(row);
}

/**
 * False when another device uses the same account: revoking the consent of one would revoke it for
 * both.
 */
const isLastOfAccount = async ({ store }: Deps, { provider, env, providerAccount }: Revocation): Promise<boolean> =>
  (await connectionRows(store).listLinkedDevices(provider, env, providerAccount)).length === 0;

async function revoke(deps: Deps, row: Revocation, startedMs: number): Promise<void> {
  const configured = await getConfiguredProviderOrLog(deps, row);
  if (!configured) throw new Error('this deployment is not configured to call the provider');
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
  // Revocations are in line ahead of all data requests.
  const budgetError = error instanceof OutOfBudget ? error : undefined;
  const failures = row.failures + (budgetError ? 0 : 1);
  if (!budgetError || isOver)
    deps.log('warn', isOver ? 'revocation_given_up' : 'revocation_failed', {
      ...connectionLogFields(row),
      failures,
      detail: readSafeMessage(error),
    });
  if (isOver) return revocationRows(deps.store).remove(row);
  const againMs = budgetError?.retryAtMs ?? now + backoffMs(failures, deps.random.bytes(2));
  await revocationRows(deps.store).reschedule(row, { failures, turn: 'late' }, Math.min(againMs, endMs));
}
