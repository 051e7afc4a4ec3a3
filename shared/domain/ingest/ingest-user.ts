// Works in everything a user is owed, oldest first, a device's uploads together. Several workers at once only cost time: whoever finishes second
// has to have seen everything the first one changed, or makes its days again.
import { makeId } from '../../model/ids.ts';
import type { BatchRow } from '../../store/batches.ts';
import type { Deps } from '../deps.ts';
import { wakeScoring } from '../scores/ask.ts';
import { activeDevices, type Subject, subjectOf } from '../subject.ts';
import { wake } from '../wake.ts';
import { applyBatches } from './apply-batches.ts';
import { rederive } from './rederive.ts';
import { removeDevice } from './remove-device.ts';
import { nothingUnsettled, type Unsettled } from './unsettled.ts';

const mostDisturbances = 20;
/** What one transaction can finish, and what fits a worker's memory. */
const mostAtOnce = { batches: 40, records: 200_000 };
/** Longer than a worker lives. */
const claimMs = 70_000;
const againSeconds = 2;

/** What this worker has begun and others have come between: to be made again before it goes. */
interface Debts {
  /** By device. */
  days: Map<string, Unsettled>;
  /** Every day of the user, after a move. */
  everything: boolean;
  /** The devices that were there when it was begun, and the zones it was begun by: what is gone or other by now has been written all the same. */
  devices: Set<string>;
  zones: Set<string | null>;
}

function disturb(debts: Debts, { user, devices }: Subject): void {
  debts.zones.add(user.timezone);
  for (const { id } of activeDevices(devices)) debts.devices.add(id);
}

/** Scores are computed once for all that is worked in here: for each upload alone, all but the first would wait a minute. */
export async function ingestUser(deps: Deps, userId: string): Promise<void> {
  const debts: Debts = { days: new Map(), everything: false, devices: new Set(), zones: new Set() };
  let claimed = false;
  let changed = false;
  try {
    for (let disturbed = 0; disturbed < mostDisturbances; ) {
      const subject = await subjectOf(deps, userId);
      if (!subject) return;
      const waiting = await deps.store.batches.waiting(userId, mostAtOnce.batches);
      // A small upload alone is done before anybody is in the way: only what others would do over and over is claimed.
      if (!claimed && (waiting.length > 1 || recordsIn(waiting) > smallUpload)) {
        claimed = await deps.store.ingestClaims.take(userId, deps.clock.now(), claimMs);
        if (!claimed) return await again(deps, userId);
      }
      const outcome = await oneStep(deps, subject, waiting, debts);
      if (outcome === 'nothing owed') return;
      if (outcome === 'changed') changed = true;
      if (outcome !== 'disturbed') continue;
      disturb(debts, subject);
      disturbed++;
    }
    await leave(deps, userId, debts);
  } finally {
    if (claimed) await deps.store.ingestClaims.giveBack(userId);
    if (changed) await wakeScoring(deps, userId);
  }
}

type Step = 'changed' | 'unchanged' | 'disturbed' | 'nothing owed';

async function oneStep(deps: Deps, subject: Subject, waiting: readonly BatchRow[], debts: Debts): Promise<Step> {
  const gone = subject.devices.find(
    ({ id, status }) => status === 'removing' || (status === 'removed' && debts.devices.has(id)),
  );
  if (gone) {
    debts.days.delete(gone.id);
    debts.devices.add(gone.id);
    if (!(await removeDevice(deps, subject, gone))) return 'disturbed';
    debts.devices.delete(gone.id);
    return 'unchanged';
  }
  const moved = await deps.store.rezonings.of(subject.user.id);
  if ([...debts.zones].some((zone) => zone !== subject.user.timezone)) debts.everything = true;
  if (moved || debts.everything) {
    debts.everything = !(await rederive(deps, subject, moved));
    if (debts.everything) return 'disturbed';
    debts.zones.clear();
    debts.days.clear();
    return 'unchanged';
  }
  const [oldest] = waiting;
  const deviceId = oldest?.device ?? [...debts.days.keys()][0];
  if (deviceId === undefined) return 'nothing owed';
  const before = debts.days.get(deviceId) ?? nothingUnsettled();
  const outcome = await applyBatches(deps, subject, deviceId, together(waiting, deviceId), before);
  if (outcome.kind === 'disturbed') debts.days.set(deviceId, outcome.unsettled);
  else debts.days.delete(deviceId);
  return outcome.kind;
}

const smallUpload = 1_000;
/** Uploads of unknown size count as large ones. */
const usualRecords = 50_000;

const recordsIn = (batches: readonly BatchRow[]): number =>
  batches.reduce((sum, { records }) => sum + (records ?? usualRecords), 0);

function together(waiting: readonly BatchRow[], deviceId: string): BatchRow[] {
  const batches: BatchRow[] = [];
  for (const batch of waiting) {
    if (batch.device !== deviceId) continue;
    if (batches.length > 0 && recordsIn([...batches, batch]) > mostAtOnce.records) break;
    batches.push(batch);
  }
  return batches;
}

/** Others are at work on the same user: what they leave is picked up by this message. */
const again = (deps: Deps, userId: string): Promise<void> =>
  deps.queue.send('ingest', { user_id: userId }, { delaySeconds: againSeconds });

/** What is still unsettled is left to a worker that makes every day anew. */
async function leave(deps: Deps, userId: string, debts: Debts): Promise<void> {
  if (debts.days.size > 0 || debts.everything) {
    const asked = makeId('event', deps.clock.now(), deps.random.bytes(10));
    await deps.store.commit([deps.store.rezonings.asking(userId, asked), deps.store.users.stillActive(userId)]);
  }
  await again(deps, userId);
}

/** Finds uploads, removals and moves whose message was lost. */
export async function wakeIngests(deps: Deps): Promise<void> {
  for await (const userId of deps.store.owed.users('ingest')) await wake(deps, 'ingest', { user_id: userId });
}
