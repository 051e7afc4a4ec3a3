// Works in everything a user is owed, oldest first. Several workers at once only cost time: each write holds its own against the others.
import type { Deps } from '../deps.ts';
import { wakeScoring } from '../scores/ask.ts';
import { subjectOf } from '../subject.ts';
import { wake } from '../wake.ts';
import { applyBatch } from './apply-batch.ts';
import { rederive } from './rederive.ts';
import { removeDevice } from './remove-device.ts';

const mostDisturbances = 20;

/** Scores are computed once for all that is worked in here: for each upload alone, all but the first would wait a minute. */
export async function ingestUser(deps: Deps, userId: string): Promise<void> {
  let changed = false;
  for (let disturbed = 0; disturbed < mostDisturbances; ) {
    const subject = await subjectOf(deps, userId);
    if (!subject) return;
    const leaving = subject.devices.find(({ status }) => status === 'removing');
    if (leaving) {
      await removeDevice(deps, subject, leaving);
      continue;
    }
    const moved = await deps.store.rezonings.of(userId);
    if (moved) {
      await rederive(deps, subject, moved);
      continue;
    }
    const batch = await deps.store.batches.oldest(userId);
    if (!batch) {
      if (changed) await wakeScoring(deps, userId);
      return;
    }
    const outcome = await applyBatch(deps, subject, batch);
    if (outcome === 'changed') changed = true;
    if (outcome === 'disturbed') disturbed++;
  }
  if (changed) await wakeScoring(deps, userId);
  // Others are at work on the same user; what they leave is picked up by this message.
  await deps.queue.send('ingest', { user_id: userId }, { delaySeconds: 2 });
}

/** Finds uploads, removals and moves whose message was lost. */
export async function wakeIngests(deps: Deps): Promise<void> {
  for await (const userId of deps.store.owed.users('ingest')) await wake(deps, 'ingest', { user_id: userId });
}
