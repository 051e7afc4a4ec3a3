// Works in everything a user is owed, oldest first, a device's uploads together. Several workers at once only cost time: whoever finishes second
// has to have seen everything the first one changed, or makes its days again.
import { makeId } from '../../model/ids.ts';
import type { BatchRow } from '../../store/batches.ts';
import type { Deps } from '../deps.ts';
import { wakeScoring } from '../scores/ask.ts';
import { activeDevices, type Subject, subjectOf } from '../subject.ts';
import { wake } from '../wake.ts';
import { applyBatches } from './apply-batches.ts';
import { type Claim, claimFor } from './claim.ts';
import { rederive } from './rederive.ts';
import { removeDevice } from './remove-device.ts';
import { isDue } from './second-look.ts';
import { nothingUnsettled, type Unsettled } from './unsettled.ts';

const mostDisturbances = 20;
/** No step is begun after it, so that a worker is not cut off in the midst of one. */
const mostMs = 40_000;
/** What one transaction can finish, and what fits a worker's memory. */
const mostAtOnce = { batches: 40, records: 200_000 };
const againSeconds = 2;

/** What this worker has begun and others have come between: to be made again before it goes. */
interface Debts {
  /** By device. */
  days: Map<string, Unsettled>;
  /** Every day of the user, after a move. */
  everything: boolean;
  /** Devices and zones this worker wrote under before it was disturbed: what is gone or changed since must be cleaned up or made again. */
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
  const claim = claimFor(deps, userId);
  const untilMs = deps.clock.now() + mostMs;
  let changed = false;
  try {
    let disturbed = 0;
    while (disturbed < mostDisturbances && deps.clock.now() < untilMs) {
      const outcome = await nextStep(deps, userId, debts, claim);
      if (outcome === 'changed') changed = true;
      if (outcome === 'disturbed') disturbed++;
      if (outcome === 'left to others') return;
      if (outcome === 'to be continued') return await handOn(deps, userId, claim);
      if (outcome !== 'nothing owed') continue;
      if (!claim.isHeld()) return;
      // Whoever found it taken went away: what they came for is looked for once it is given back.
      await claim.giveBack();
    }
    await leave(deps, userId, debts, disturbed);
  } finally {
    await claim.giveBack();
    if (changed) await wakeScoring(deps, userId);
  }
}

/** To whoever is woken, and finds the claim free. */
async function handOn(deps: Deps, userId: string, claim: Claim): Promise<void> {
  await claim.giveBack();
  await wake(deps, 'ingest', { user_id: userId });
}

async function nextStep(
  deps: Deps,
  userId: string,
  debts: Debts,
  claim: Claim,
): Promise<Step | 'nothing owed' | 'left to others'> {
  const subject = await subjectOf(deps, userId);
  if (!subject) return 'left to others';
  const waiting = await deps.store.batches.waiting(userId, mostAtOnce.batches);
  if (isMuch(deps, subject, waiting) && !(await claim.take()) && !owes(debts)) return 'left to others';
  const outcome = await oneStep(deps, subject, waiting, debts);
  if (outcome === 'disturbed') disturb(debts, subject);
  return outcome;
}

/** A small upload alone is done before anybody is in the way. */
const isMuch = ({ clock }: Deps, { devices, rezoning }: Subject, waiting: readonly BatchRow[]): boolean =>
  waiting.length > 1 ||
  recordsIn(waiting) > smallUpload ||
  (rezoning !== undefined && isDue(rezoning, clock.now())) ||
  devices.some((device) => device.status === 'removing' && isDue(device, clock.now()));

const owes = ({ days, everything, devices, zones }: Debts): boolean =>
  everything || days.size + devices.size + zones.size > 0;

type Step = 'changed' | 'unchanged' | 'disturbed' | 'to be continued';

async function oneStep(
  deps: Deps,
  subject: Subject,
  waiting: readonly BatchRow[],
  debts: Debts,
): Promise<Step | 'nothing owed'> {
  const now = deps.clock.now();
  const gone = subject.devices.find(
    (device) =>
      (device.status === 'removing' && (isDue(device, now) || debts.devices.has(device.id))) ||
      (device.status === 'removed' && debts.devices.has(device.id)),
  );
  if (gone) {
    debts.days.delete(gone.id);
    debts.devices.add(gone.id);
    if (!(await removeDevice(deps, subject, gone))) return 'disturbed';
    debts.devices.delete(gone.id);
    return 'unchanged';
  }
  const moved = subject.rezoning && isDue(subject.rezoning, now) ? subject.rezoning : undefined;
  if ([...debts.zones].some((zone) => zone !== subject.user.timezone)) debts.everything = true;
  if (moved || debts.everything) {
    const outcome = await rederive(deps, subject, moved);
    debts.everything = outcome !== 'done';
    if (outcome !== 'done') return outcome;
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

const smallUpload = 100;
/** Uploads of unknown size count as large ones. */
const recordsIfUnknown = 50_000;

const recordsIn = (batches: readonly BatchRow[]): number =>
  batches.reduce((sum, { records }) => sum + (records ?? recordsIfUnknown), 0);

function together(waiting: readonly BatchRow[], deviceId: string): BatchRow[] {
  const batches: BatchRow[] = [];
  for (const batch of waiting) {
    if (batch.device !== deviceId) continue;
    if (batches.length > 0 && recordsIn([...batches, batch]) > mostAtOnce.records) break;
    batches.push(batch);
  }
  return batches;
}

/** What is still unsettled is left to a worker that makes every day anew. */
async function leave(deps: Deps, userId: string, debts: Debts, disturbed: number): Promise<void> {
  deps.log('warn', 'one worker did not suffice for a user', { user_id: userId, disturbed, unsettled: owes(debts) });
  if (owes(debts)) {
    const asked = makeId('event', deps.clock.now(), deps.random.bytes(10));
    await deps.store.commit([deps.store.rezonings.asking(userId, asked), deps.store.users.stillActive(userId)]);
  }
  await wake(deps, 'ingest', { user_id: userId }, { delaySeconds: againSeconds });
}

/** Finds uploads, removals and moves whose message was lost. */
export async function wakeIngests(deps: Deps): Promise<void> {
  for await (const userId of deps.store.owed.users('ingest')) await wake(deps, 'ingest', { user_id: userId });
}
