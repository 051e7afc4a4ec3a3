// Rebuilds a user's canonical days after a change of settings: one worker at a time, newest generation only, resumable, told once.
import { TransactionRefused } from '../../engine/ports.ts';
import { addDays, daysBetween } from '../../model/local-day.ts';
import { type Announced, nothingAnnounced, withDay } from '../../store/announced.ts';
import { conditionalCommit } from '../../store/conditional-write.ts';
import { type CanonicalItem, dayRows, type NormalizedItem } from '../../store/days.ts';
import { type StateRow, stateRows } from '../../store/states.ts';
import { userRows } from '../../store/users.ts';
import type { Deps } from '../deps.ts';
import { subjectSynced } from '../events/new-event.ts';
import { askingForScores, wakeScoring } from '../scores/ask.ts';
import { type Subject, subjectEvenUnshared } from '../users/subject.ts';
import { wake } from '../work/wake.ts';
import { daysAside } from './beside.ts';
import { consolidateDays, differencesFor, writeDays } from './touched-days.ts';

const leaseMs = 90_000;
/** Between two rebuilds of a user: changes that come close together meet in the second one. */
export const restMs = 2_000;
const daysPerStep = 200;
const firstDay = '0000-01-01';
const lastDay = '9999-12-31';

/** A message for a user whose days are built costs one read and does nothing. */
export async function rebuild(deps: Deps, userId: string): Promise<void> {
  const state = await stateRows(deps.store).of(userId);
  if (state.built >= state.generation) return;
  const now = deps.clock.now();
  if (!(await stateRows(deps.store).lease(userId, now, now + leaseMs)))
    return later(deps, userId, state.claimedUntilMs - now);
  try {
    await buildNewest(deps, userId, now + leaseMs);
  } catch (error) {
    await stateRows(deps.store).release(userId);
    throw error;
  }
}

/** Another worker is at it, or has just been: whatever it does not build is looked at when it is done. */
async function later(deps: Deps, userId: string, inMs: number): Promise<void> {
  const delaySeconds = Math.min(Math.max(Math.ceil(inMs / 1000), Math.ceil(restMs / 1000)), leaseMs / 1000);
  await wake(deps, 'consolidate', { user_id: userId }, { delaySeconds });
}

async function buildNewest(deps: Deps, userId: string, untilMs: number): Promise<void> {
  const subject = await subjectEvenUnshared(deps, userId);
  if (!subject) return;
  const { generation, progress } = subject.state;
  let announced = progress?.announced ?? nothingAnnounced;
  let through = progress?.generation === generation ? progress.through : null;
  let leasedUntilMs = untilMs;
  for await (const step of steps(deps, userId, through)) {
    const built = await buildStep(deps, subject, step, { generation, through, announced });
    announced = built.announced;
    leasedUntilMs = built.leasedUntilMs ?? leasedUntilMs;
    through = step.dates.at(-1) ?? through;
  }
  await finish(deps, { ...subject, state: { ...subject.state, claimedUntilMs: leasedUntilMs } }, announced);
}

interface Step {
  /** The days to build, in order. */
  dates: string[];
  normalized: Map<string, NormalizedItem>;
}

/** A step is ready when the days beside its last one have been read too. */
async function* steps({ store }: Deps, userId: string, through: string | null): AsyncGenerator<Step> {
  const normalized = new Map<string, NormalizedItem>();
  let waiting: string[] = [];
  const from = through === null ? firstDay : addDays(through, -daysAside);
  for await (const day of dayRows(store).normalizedBetween(userId, from, lastDay)) {
    normalized.set(day.date, day);
    if (through !== null && day.date <= through) continue;
    waiting.push(day.date);
    const last = waiting[daysPerStep - 1];
    if (last === undefined || daysBetween(last, day.date) < daysAside) continue;
    yield { dates: waiting.slice(0, daysPerStep), normalized };
    waiting = waiting.slice(daysPerStep);
    for (const date of normalized.keys()) if (daysBetween(date, last) > daysAside) normalized.delete(date);
  }
  if (waiting.length > 0) yield { dates: waiting, normalized };
}

async function buildStep(
  deps: Deps,
  subject: Subject,
  { dates, normalized }: Step,
  progress: NonNullable<StateRow['progress']>,
): Promise<{ announced: Announced; leasedUntilMs?: number }> {
  const userId = subject.user.id;
  const differenceOn = differencesFor(subject);
  const stored = await canonicalOf(deps, userId, dates);
  const differences = dates.flatMap((date) => differenceOn(date, normalized, stored.get(date)) ?? []);
  if (differences.length === 0) return { announced: progress.announced };
  const announced = differences.reduce((sum, { day, metrics }) => withDay(sum, day.date, metrics), progress.announced);
  const leasedUntilMs = deps.clock.now() + leaseMs;
  await stateRows(deps.store).advance(userId, { ...progress, announced }, leasedUntilMs);
  await consolidateDays(deps, subject, await writeDays(deps, userId, differences));
  return { announced, leasedUntilMs };
}

async function canonicalOf(deps: Deps, userId: string, dates: readonly string[]) {
  const [first, last] = [dates[0] ?? lastDay, dates.at(-1) ?? firstDay];
  const found = new Map<string, CanonicalItem>();
  for await (const day of dayRows(deps.store).canonicalBetween(userId, first, last, { consistent: true }))
    found.set(day.date, day);
  return found;
}

/** When the settings moved on meanwhile, what changed so far is kept and told with the next generation. */
async function finish(deps: Deps, { user, state }: Subject, announced: Announced): Promise<void> {
  const now = deps.clock.now();
  const told = subjectSynced(deps, user, announced);
  const asksForScores = askingForScores(deps, user.id, announced.from, announced.to, { atOnce: true });
  try {
    await deps.store.commit([
      stateRows(deps.store).finishing(user.id, state, now + restMs),
      userRows(deps.store).settling(user),
      ...(announced.metrics.length > 0 ? [...told, ...asksForScores] : []),
    ]);
    if (asksForScores.length > 0) await wakeScoring(deps, user.id);
    deps.log('info', 'rebuilt', { user_id: user.id, generation: state.generation, metrics: announced.metrics.length });
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error;
    const progress = { generation: state.generation, through: null, announced };
    await stateRows(deps.store).advance(user.id, progress, deps.clock.now() + restMs);
    await askAgain(deps, user.id, state.generation);
    await later(deps, user.id, restMs);
  }
}

/** Another worker finished this generation while this one wrote from an older view: one more rebuild is asked for. */
async function askAgain({ store, clock }: Deps, userId: string, generation: number): Promise<void> {
  const state = await stateRows(store).of(userId);
  if (state.built < generation || state.generation > state.built) return;
  await conditionalCommit(store, [stateRows(store).asking(userId, state, state.settings, clock.now())]);
}
