// An upload that keeps failing is set aside with its raw data kept, so that those behind it go on; an operator sees it and can have it tried again.
import { EngineUnavailable } from '../../engine/ports.ts';
import { Failure } from '../../model/failure.ts';
import { type BatchRow, batchRows, type DeadLetterRow } from '../../store/batches.ts';
import { conditionalCommit } from '../../store/conditional-write.ts';
import { deviceRows } from '../../store/devices.ts';
import { rezoningRows } from '../../store/rezonings.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../new-id.ts';
import { mustShare } from '../users/sharing.ts';
import { activeDevices, subjectEvenUnshared } from '../users/subject.ts';
import { optimisticRetry } from '../work/optimistic-retry.ts';

const mostFailures = 3;
/** A worker may also die for reasons of its own: a machine that goes down, a host that is restarted. */
export const mostDeaths = 5;

/**
 * Of several nobody knows which it was: they are to be tried one by one. One alone is set aside in the end; until then it is told, and to be
 * tried again. Throws what cannot be its fault.
 */
export async function blame(
  deps: Deps,
  userId: string,
  batches: readonly BatchRow[],
  error: unknown,
): Promise<BatchRow | undefined> {
  const [oldest] = batches;
  if (!oldest || error instanceof EngineUnavailable) throw error;
  if (batches.length > 1) return undefined;
  const row = await batchRows(deps.store).failed(userId, oldest);
  if (!row || row.failures < mostFailures) return oldest;
  await deadLetter(deps, userId, row, error instanceof Error ? error.message : String(error));
  return undefined;
}

export async function deadLetter(deps: Deps, userId: string, row: BatchRow, reason: string): Promise<void> {
  const { store, clock, log } = deps;
  const now = clock.now();
  await batchRows(store).keepRawForGood(userId, row);
  // Days that it began to change are made anew from what is kept.
  const asked = row.changed ? [rezoningRows(store).asking(userId, newId(deps, 'ask'), now)] : [];
  const writes = [...batchRows(store).deadLettering(userId, row, now, reason.slice(0, 500)), ...asked];
  if (!(await conditionalCommit(store, writes))) {
    // Somebody has worked it in, or set it aside, meanwhile.
    if (!(await batchRows(store).isDeadLetter(userId, row.batch)))
      await batchRows(store).keepRawForAWhile(userId, row, row.receivedMs);
    return;
  }
  // Why stands in the row: an error's words may quote what was sent.
  log('error', 'upload set aside: it cannot be processed', { user_id: userId, batch: row.batch });
}

export const listDeadLetters = ({ store }: Deps): Promise<DeadLetterRow[]> => batchRows(store).deadLetters();

/** It counts as if it arrived now. */
export async function retryDeadLetter(deps: Deps, row: DeadLetterRow): Promise<void> {
  const { store, clock } = deps;
  try {
    await optimisticRetry({ what: 'a device', retries: 5 }, async () => {
      const subject = await subjectEvenUnshared(deps, row.user);
      if (subject) mustShare(subject.user);
      const device = activeDevices(subject?.devices ?? []).find(({ id }) => id === row.device);
      if (!device)
        throw new Failure(
          'not_found',
          `The device or the user of ${row.batch} no longer exists, so the upload cannot be processed.`,
        );
      const receivedMs = Math.max(clock.now(), device.receivedMs + 1);
      await batchRows(store).keepRawForAWhile(row.user, row, receivedMs);
      await store.commit([
        deviceRows(store).receiving(row.user, device, row.batch, receivedMs),
        ...batchRows(store).owingAgain(row, receivedMs),
      ]);
    });
  } catch (error) {
    await batchRows(store).keepRawForGood(row.user, row);
    throw error;
  }
}
