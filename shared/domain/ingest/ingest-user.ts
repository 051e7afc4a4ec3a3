// Works in everything a user is owed, oldest first, a device's uploads together. Several workers at once only cost time: whoever finishes second
// has to have seen everything the first one changed, or makes its days again.
import { EngineUnavailable } from '../../engine/ports.ts';
import { sdkFormat } from '../../providers/sdk/format.ts';
import type { BatchRow } from '../../store/batches.ts';
import type { DeviceRow } from '../../store/devices.ts';
import { rezoningRows } from '../../store/rezonings.ts';
import { type UserRow, userRows } from '../../store/users.ts';
import { type WaitingWork, waitingWork } from '../../store/waiting-work.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../new-id.ts';
import { wakeScoring } from '../scores/ask.ts';
import { devicesWithData, type Subject, subjectEvenUnshared } from '../users/subject.ts';
import { wake } from '../work/wake.ts';
import { type ApplyOutcome, applyBatches } from './apply-batches.ts';
import { isTooMuch, mostAtOnce, recordsIn } from './at-once.ts';
import { blame, deadLetter, mostDeaths } from './dead-letters.ts';
import { type Lease, leaseFor } from './lease.ts';
import { rederive } from './rederive.ts';
import { removeDevice } from './remove-device.ts';
import { isDue } from './second-look.ts';
import { nothingUnsettled, type Unsettled } from './unsettled.ts';

const mostDisturbances = 20;
/** No step is begun after it, so that a worker is not cut off in the midst of one. */
const mostMs = 40_000;
const againSeconds = 2;

/** What this worker has begun and others have come between: to be made again before it goes. */
interface Debts {
  /** By device. */
  days: Map<string, Unsettled>;
  /** Every day of the user, after a move. */
  everything: boolean;
  /** Devices and day rules this worker wrote under before it was disturbed: what is gone or changed since must be cleaned up or made again. */
  devices: Map<string, DeviceRow>;
  rules: Set<string>;
  /** Several uploads together have failed: each is tried alone. */
  oneByOne: boolean;
  /** Uploads, devices that go, and the move, that failed alone, and how: the others go on, and these come again. */
  failed: Map<string, unknown>;
}

const noDebts = (): Debts => ({
  days: new Map(),
  everything: false,
  devices: new Map(),
  rules: new Set(),
  oneByOne: false,
  failed: new Map(),
});

const nameOfRule = ({ timezone, dayRule }: UserRow): string => JSON.stringify([timezone, dayRule]);

function disturb(debts: Debts, { user, devices }: Subject): void {
  debts.rules.add(nameOfRule(user));
  for (const device of devicesWithData(devices)) debts.devices.set(device.id, device);
}

/** Scores are computed once for all that is worked in here: for each upload alone, all but the first would wait a minute. */
export async function ingestUser(deps: Deps, userId: string): Promise<void> {
  const debts = noDebts();
  const lease = leaseFor(deps, userId);
  let changed = false;
  try {
    await workOff(deps, userId, debts, lease, () => {
      changed = true;
    });
  } finally {
    await lease.giveBack();
    if (changed) await wakeScoring(deps, userId);
  }
  const [failure, ...more] = debts.failed.values();
  if (debts.failed.size === 0) return;
  if (more.length > 0)
    deps.log('warn', 'several tasks of a user failed', { user_id: userId, failed: [...debts.failed.keys()] });
  throw failure;
}

async function workOff(deps: Deps, userId: string, debts: Debts, lease: Lease, onChange: () => void): Promise<void> {
  const untilMs = deps.clock.now() + mostMs;
  let disturbed = 0;
  while (disturbed < mostDisturbances && deps.clock.now() < untilMs) {
    const outcome = await nextStep(deps, userId, debts, lease);
    if (outcome === 'changed') onChange();
    if (outcome === 'disturbed') disturbed++;
    if (outcome === 'left to others') return;
    if (outcome === 'to be continued') return handOn(deps, userId, lease);
    if (outcome !== 'nothing owed') continue;
    if (!lease.isHeld()) return;
    // Whoever found it taken went away: what they came for is looked for once it is given back.
    await lease.giveBack();
  }
  await leave(deps, userId, debts, disturbed);
}

/** To whoever is woken, and finds the lease free. */
async function handOn(deps: Deps, userId: string, lease: Lease): Promise<void> {
  await lease.giveBack();
  await wake(deps, 'ingest', { user_id: userId });
}

async function nextStep(
  deps: Deps,
  userId: string,
  debts: Debts,
  lease: Lease,
): Promise<Step | 'nothing owed' | 'left to others'> {
  const subject = await subjectEvenUnshared(deps, userId);
  if (!subject) return 'left to others';
  const work = await workOf(deps, subject);
  const failing = work.batches.filter(({ batch }) => debts.failed.has(batch));
  // What a vendor was asked for later may take back what it said before, never the other way round.
  const held = new Set(failing.flatMap(({ source, device }) => (source === sdkFormat.source ? [] : device)));
  const waiting = work.batches.filter((row) => !failing.includes(row) && !held.has(row.device));
  const [oldest] = waiting;
  // Whoever names the duty and whoever does it must agree on what is due.
  const nowMs = deps.clock.now();
  const duty = dutyBeside(work, debts, nowMs);
  if (isMuch(duty, waiting) && !(await lease.take(duty ?? oldest?.sk ?? '')) && !owes(debts)) return 'left to others';
  const deaths = oldest && !duty ? lease.deathsAt(oldest.sk) : 0;
  if (oldest && deaths >= mostDeaths) {
    await deadLetter(deps, userId, oldest, `${deaths} workers died at it`);
    await lease.giveBack();
    return 'unchanged';
  }
  const isSuspect = debts.oneByOne || deaths > 0 || (oldest?.failures ?? 0) > 0;
  const batches = isSuspect ? waiting.slice(0, 1) : waiting;
  const outcome = await oneStep(deps, subject, { ...work, batches }, debts, nowMs);
  if (outcome === 'disturbed') disturb(debts, subject);
  return outcome;
}

/** Read after the head: what came between has counted up `work`, so whoever does it with the older head cannot finish. */
const workOf = ({ store }: Deps, { user }: Subject): Promise<WaitingWork> =>
  waitingWork(store).of(user.id, mostAtOnce.batches);

/** A small upload alone is done before anybody is in the way. */
const isMuch = (duty: string | undefined, waiting: readonly BatchRow[]): boolean =>
  duty !== undefined || waiting.length > 1 || recordsIn(waiting) > smallUpload;

/** What comes before uploads: a device that goes, or a move. Whoever dies at it does not die at an upload. */
function dutyBeside({ leaving, rezoning }: WaitingWork, { failed }: Debts, nowMs: number): string | undefined {
  const going = leaving.find((device) => isDue(device, nowMs) && !failed.has(device.id));
  return going?.id ?? (rezoning && isDue(rezoning, nowMs) && !failed.has(theMove) ? theMove : undefined);
}
const theMove = 'the move';

const owes = ({ days, everything, devices, rules }: Debts): boolean =>
  everything || days.size + devices.size + rules.size > 0;

type Step = 'changed' | 'unchanged' | 'disturbed' | 'to be continued';

async function oneStep(
  deps: Deps,
  subject: Subject,
  { leaving, rezoning, batches: waiting }: WaitingWork,
  debts: Debts,
  nowMs: number,
): Promise<Step | 'nothing owed'> {
  const going = leaving.find(
    (device) => !debts.failed.has(device.id) && (isDue(device, nowMs) || debts.devices.has(device.id)),
  );
  const present = new Set([...subject.devices, ...leaving].map(({ id }) => id));
  const gone = going ?? [...debts.devices.values()].find(({ id }) => !present.has(id) && !debts.failed.has(id));
  if (gone) {
    debts.days.delete(gone.id);
    debts.devices.set(gone.id, gone);
    return failingAlone(debts, gone.id, async () => {
      if (!(await removeDevice(deps, subject, gone))) return 'disturbed';
      debts.devices.delete(gone.id);
      return 'unchanged';
    });
  }
  const moved = rezoning && isDue(rezoning, nowMs) && !debts.failed.has(theMove) ? rezoning : undefined;
  if ([...debts.rules].some((rule) => rule !== nameOfRule(subject.user))) debts.everything = true;
  if (moved || (debts.everything && !debts.failed.has(theMove)))
    return failingAlone(debts, theMove, async () => {
      const outcome = await rederive(deps, subject, moved);
      debts.everything = outcome !== 'done';
      if (outcome !== 'done') return outcome;
      debts.rules.clear();
      debts.days.clear();
      return 'unchanged';
    });
  const [oldest] = waiting;
  const deviceId = oldest?.device ?? [...debts.days.keys()][0];
  if (deviceId === undefined) return 'nothing owed';
  const before = debts.days.get(deviceId) ?? nothingUnsettled();
  const batches = together(waiting, deviceId);
  let outcome: ApplyOutcome;
  try {
    outcome = await applyBatches(deps, subject, deviceId, batches, before);
  } catch (error) {
    const blamed = await blame(deps, subject.user.id, batches, error);
    debts.oneByOne ||= batches.length > 1;
    if (blamed) debts.failed.set(blamed.batch, error);
    return 'unchanged';
  }
  if (outcome.kind === 'disturbed') debts.days.set(deviceId, outcome.unsettled);
  else debts.days.delete(deviceId);
  return outcome.kind;
}

/** What fails for reasons of its own keeps no upload waiting: it comes again with the next run. */
async function failingAlone(debts: Debts, what: string, work: () => Promise<Step>): Promise<Step> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EngineUnavailable) throw error;
    debts.failed.set(what, error);
    return 'unchanged';
  }
}

const smallUpload = 100;
function together(waiting: readonly BatchRow[], deviceId: string): BatchRow[] {
  const batches: BatchRow[] = [];
  for (const batch of waiting) {
    if (batch.device !== deviceId) continue;
    if (batches.length > 0 && (batch.replays || isTooMuch([...batches, batch]))) break;
    batches.push(batch);
    if (batch.replays) break;
  }
  return batches;
}

/** What is still unsettled is left to a worker that makes every day anew. */
async function leave(deps: Deps, userId: string, debts: Debts, disturbed: number): Promise<void> {
  deps.log('warn', 'the work of a user needs another run', { user_id: userId, disturbed, unsettled: owes(debts) });
  if (owes(debts)) {
    await deps.store.commit([
      rezoningRows(deps.store).asking(userId, newId(deps, 'ask'), deps.clock.now()),
      userRows(deps.store).stillThere(userId),
    ]);
  }
  await wake(deps, 'ingest', { user_id: userId }, { delaySeconds: againSeconds });
}
