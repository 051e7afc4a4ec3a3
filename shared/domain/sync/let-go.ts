// A worker that holds a connection's lease no longer, or cannot use it: its lease stands in
// nobody's way.
import { revocationRows } from '../../store/revocations.ts';
import { type SyncRow, syncRows } from '../../store/syncs.ts';
import type { Deps } from '../deps.ts';
import { wake } from '../work/wake.ts';
import { wakeRevocation } from './wake-revocation.ts';

/**
 * The connection may have ended meanwhile: whoever ended it moved the lease to the revocation, so
 * that tokens which were being renewed are stored there. Nobody gives the consent back before that
 * lease is let go, or has run out.
 */
export async function letGo(deps: Deps, row: SyncRow): Promise<void> {
  if (await syncRows(deps.store).letGo(row)) await wake(deps, 'sync', { user_id: row.user, device_id: row.device });
  else if (await revocationRows(deps.store).letGo(row)) await wakeRevocation(deps, row.user, row.device);
}
