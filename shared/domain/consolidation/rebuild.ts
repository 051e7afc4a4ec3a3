// Rebuilds a user's canonical days after a change of settings: one worker at a time, newest generation only, resumable, told once.
import { TransactionRefused } from '../../engine/ports.ts';
import { makeId } from '../../model/ids.ts';
import type { CanonicalItem, NormalizedItem } from '../../store/days.ts';
import type { Announced, StateRow } from '../../store/states.ts';
import type { Deps } from '../deps.ts';
import { askingForScores, wakeScoring } from '../scores/ask.ts';
import { type Subject, subjectOf } from '../subject.ts';
import { wake } from '../wake.ts';
import { consolidateDays, differencesFor, writeDays } from './touched-days.ts';

const claimMs = 90_000;
/** Between two rebuilds of a user: changes that come close together meet in the second one. */
export const restMs = 2_000;
const daysPerStep = 200;
const firstDay = '0000-01-01';
const lastDay = '9999-12-31';

/** A message for a user whose days are built costs one read and does nothing. */
export async function rebuild(deps: Deps, userId: string): Promise<void> {
  const state = await deps.store.states.of(userId);
  if (state.built >= state.generation) return;
  const now = deps.clock.now();
  if (!(await deps.store.states.claim(userId, now, now + claimMs)))
    return later(deps, userId, state.claimedUntilMs - now);
  try {
    await buildNewest(deps, userId);
  } catch (error) {
    await deps.store.states.release(userId);
    throw error;
  }
}

/** Another worker is at it, or has just been: whatever it does not build is looked at when it is done. */
async function later(deps: Deps, userId: string, inMs: number): Promise<void> {
  const delaySeconds = Math.min(Math.max(Math.ceil(inMs / 1000), Math.ceil(restMs / 1000)), claimMs / 1000);
  await wake(deps, 'consolidate', { user_id: userId }, { delaySeconds });
}

async function buildNewest(deps: Deps, userId: string): Promise<void> {
  const subject = await subjectOf(deps, userId);
  if (!subject) return;
  const { generation, progress } = subject.state;
  let announced = progress?.announced ?? { metrics: [], from: null, to: null };
  let through = progress?.generation === generation ? progress.through : null;
  for await (const days of steps(deps, userId, through)) {
    announced = await buildStep(deps, subject, days, { generation, through, announced });
    through = days.at(-1)?.date ?? through;
  }
  await finish(deps, subject, announced);
}

async function* steps(deps: Deps, userId: string, through: string | null): AsyncGenerator<NormalizedItem[]> {
  let days: NormalizedItem[] = [];
  for await (const day of deps.store.days.normalizedBetween(userId, through ?? firstDay, lastDay)) {
    if (day.date === through) continue;
    days.push(day);
    if (days.length === daysPerStep) {
      yield days;
      days = [];
    }
  }
  if (days.length > 0) yield days;
}

async function buildStep(
  deps: Deps,
  subject: Subject,
  days: NormalizedItem[],
  progress: NonNullable<StateRow['progress']>,
): Promise<Announced> {
  const userId = subject.user.id;
  const differenceOn = differencesFor(subject);
  const stored = await canonicalOf(deps, userId, days);
  const differences = days.flatMap((day) => differenceOn(day, stored.get(day.date)) ?? []);
  if (differences.length === 0) return progress.announced;
  const announced = differences.reduce(
    (sum, { day, metrics }) => including(sum, day.date, metrics),
    progress.announced,
  );
  await deps.store.states.advance(userId, { ...progress, announced }, deps.clock.now() + claimMs);
  await consolidateDays(deps, subject, await writeDays(deps, userId, differences));
  return announced;
}

async function canonicalOf(deps: Deps, userId: string, days: NormalizedItem[]) {
  const [first, last] = [days[0]?.date ?? lastDay, days.at(-1)?.date ?? firstDay];
  const found = new Map<string, CanonicalItem>();
  for await (const day of deps.store.days.canonicalBetween(userId, first, last)) found.set(day.date, day);
  return found;
}

function including(sum: Announced, date: string, metrics: string[]): Announced {
  return {
    metrics: [...new Set([...sum.metrics, ...metrics])].sort(),
    from: sum.from === null || date < sum.from ? date : sum.from,
    to: sum.to === null || date > sum.to ? date : sum.to,
  };
}

/** When the settings moved on meanwhile, what changed so far is kept and told with the next generation. */
async function finish(deps: Deps, { user, state }: Subject, announced: Announced): Promise<void> {
  const now = deps.clock.now();
  const told = deps.store.events.inserting({
    id: makeId('event', now, deps.random.bytes(10)),
    type: 'subject.synced',
    account: user.account,
    env: user.env,
    userId: user.id,
    metrics: announced.metrics,
    atMs: now,
    more: { from_date: announced.from, to_date: announced.to },
  });
  const asksForScores = askingForScores(deps, user.id, announced.from, announced.to);
  try {
    await deps.store.commit([
      deps.store.states.finishing(user.id, state.generation, now + restMs),
      ...(announced.metrics.length > 0 ? [told, ...asksForScores] : []),
    ]);
    if (asksForScores.length > 0) await wakeScoring(deps, user.id);
    deps.log('info', 'rebuilt', { user_id: user.id, generation: state.generation, metrics: announced.metrics.length });
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error;
    const progress = { generation: state.generation, through: null, announced };
    await deps.store.states.advance(user.id, progress, deps.clock.now() + restMs);
    await later(deps, user.id, restMs);
  }
}

/** Finds rebuilds whose message was lost, or whose worker died. */
export async function wakeRebuilds(deps: Deps): Promise<void> {
  for await (const userId of deps.store.owed.users('consolidate')) await wake(deps, 'consolidate', { user_id: userId });
}
