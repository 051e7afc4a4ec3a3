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
import { isDue, workerLifeMs } from './second-look.ts';
import { nothingUnsettled, type Unsettled } from './unsettled.ts';

const mostDisturbances = 20;
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
  const claim: Claim = { untilMs: undefined };
  let changed = false;
  try {
    let disturbed = 0;
    while (disturbed < mostDisturbances) {
      const outcome = await nextStep(deps, userId, debts, claim);
      if (outcome === 'changed') changed = true;
      if (outcome === 'disturbed') disturbed++;
      if (outcome === 'left to others') return;
      if (outcome === 'nothing owed' && !(await moreCame(deps, userId, claim))) return;
    }
    await leave(deps, userId, debts);
  } finally {
    await giveBack(deps, userId, claim);
    if (changed) await wakeScoring(deps, userId);
  }
}

/** Only saves work: what several workers would do over and over is done by one. */
interface Claim {
  untilMs: number | undefined;
}

async function giveBack({ store }: Deps, userId: string, claim: Claim): Promise<void> {
  if (claim.untilMs !== undefined) await store.ingestClaims.giveBack(userId, claim.untilMs);
  claim.untilMs = undefined;
}

/** Whoever found the claim taken went away: what they came for is looked for once it is given back. */
async function moreCame(deps: Deps, userId: string, claim: Claim): Promise<boolean> {
  if (claim.untilMs === undefined) return false;
  await giveBack(deps, userId, claim);
  return (await deps.store.batches.waiting(userId, 1)).length > 0;
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
  // A small upload alone is done before anybody is in the way.
  if (claim.untilMs === undefined && (waiting.length > 1 || recordsIn(waiting) > smallUpload)) {
    const now = deps.clock.now();
    if (await deps.store.ingestClaims.take(userId, now, now + workerLifeMs)) claim.untilMs = now + workerLifeMs;
    else if (!owes(debts)) return 'left to others';
  }
  const outcome = await oneStep(deps, subject, waiting, debts);
  if (outcome === 'disturbed') disturb(debts, subject);
  return outcome;
}

const owes = ({ days, everything, devices, zones }: Debts): boolean =>
  everything || days.size + devices.size + zones.size > 0;

type Step = 'changed' | 'unchanged' | 'disturbed';

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
  const asked = await deps.store.rezonings.of(subject.user.id);
  const moved = asked && isDue(asked, now) ? asked : undefined;
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
async function leave(deps: Deps, userId: string, debts: Debts): Promise<void> {
  deps.log('warn', 'too many others at work on one user', { user_id: userId, unsettled: owes(debts) });
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
