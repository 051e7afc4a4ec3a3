// Merges every canonical day of a user again after a change of settings or of the rules. A rebuild is
// resumable and announced once.

import { mergeRule } from '../catalog/merge-rule.ts';
import { scoringGeneration } from '../catalog/score-table.ts';
import { adjacencyDays } from '../consolidation/adjacent-days.ts';
import { subjectSyncedEvent } from '../events/new-event.ts';
import { addChangedDay, type UnannouncedChanges } from '../events/unannounced-changes.ts';
import { allDays } from '../measurements/date-span.ts';
import { type CanonicalItem, dayRows, type NormalizedItem } from '../measurements/rows/day-rows.ts';
import { addDays, daysBetween } from '../platform/time/local-day.ts';
import type { Deps } from '../system/deps.ts';
import { commandRows, type RebuildCommand } from '../users/command-rows.ts';
import { stateRows } from '../users/state-rows.ts';
import type { UserContext } from '../users/user-context.ts';
import { assertApplied, type CommandHandler } from './command-handler.ts';
import { createDayComparison, writeDays } from './consolidate-days.ts';

const daysPerStep = 200;
/**
 * No step starts after this time, so a small upload behind a rebuild waits for at most one pass.
 */
const maxRunMs = 10_000;

export const rebuildHandler: CommandHandler<'rebuild'> = {
  isLong: true,
  debounceMs: 1_000,
  async handle(deps, userContext, [command]) {
    if (!command) return { writes: [] };
    const { store, clock } = deps;
    const { user, state } = userContext;
    const untilMs = clock.now() + maxRunMs;
    let { unannounced } = command;
    // Days that were built by earlier rules are built again.
    let through = command.cursor?.mergeRule === mergeRule ? command.cursor.through : null;
    let isFirst = true;
    for await (const step of readSteps(deps, user.id, through)) {
      if (!isFirst && through !== null && clock.now() >= untilMs) {
        const cursor = { atMs: clock.now(), through, from: null, to: null, mergeRule };
        return { writes: [commandRows(store).buildSaveProgress(user.id, command, cursor)], isContinued: true };
      }
      unannounced = await buildStep(deps, userContext, step, { ...command, unannounced });
      through = step.dates.at(-1) ?? through;
      isFirst = false;
    }
    deps.log('info', 'rebuilt', {
      user_id: user.id,
      consolidation_generation: state.generation,
      metrics: unannounced.metrics.length,
    });
    const { from, to } = unannounced;
    return {
      writes: [
        commandRows(store).buildFinish(user.id, command),
        stateRows(store).buildMarkBuilt(user.id, state),
        ...(unannounced.metrics.length > 0 ? subjectSyncedEvent(deps, user, unannounced) : []),
      ],
      // Days that the next formulas have not scored yet are scored in the same pass.
      scores:
        user.scoreGeneration !== scoringGeneration
          ? [{ ...allDays, dueMs: 0, atOnce: true }]
          : from === null || to === null
            ? []
            : [{ from, to, dueMs: 0, atOnce: true }],
      userFields: { mergeRule },
    };
  },
};

interface RebuildStep {
  /** The days to build, in ascending order. */
  dates: string[];
  normalized: Map<string, NormalizedItem>;
}

/** A step is ready once the adjacent days of its last day have been read, too. */
async function* readSteps({ store }: Deps, userId: string, through: string | null): AsyncGenerator<RebuildStep> {
  const normalized = new Map<string, NormalizedItem>();
  let pendingDates: string[] = [];
  const from = through === null ? allDays.from : addDays(through, -adjacencyDays);
  for await (const day of dayRows(store).iterateNormalized(userId, from, allDays.to)) {
    normalized.set(day.date, day);
    if (through !== null && day.date <= through) continue;
    pendingDates.push(day.date);
    const last = pendingDates[daysPerStep - 1];
    if (last === undefined || daysBetween(last, day.date) < adjacencyDays) continue;
    yield { dates: pendingDates.slice(0, daysPerStep), normalized };
    pendingDates = pendingDates.slice(daysPerStep);
    for (const date of normalized.keys()) if (daysBetween(date, last) > adjacencyDays) normalized.delete(date);
  }
  if (pendingDates.length > 0) yield { dates: pendingDates, normalized };
}

/**
 * Differences are recorded for the announcement before they are written, so that an event reports
 * them even if this pass fails.
 */
async function buildStep(
  deps: Deps,
  userContext: UserContext,
  { dates, normalized }: RebuildStep,
  command: RebuildCommand,
): Promise<UnannouncedChanges> {
  const userId = userContext.user.id;
  const compareDay = createDayComparison(userContext);
  const stored = await readCanonicalDays(deps, userId, dates);
  const differences = dates.flatMap((date) => compareDay(date, normalized, stored.get(date)) ?? []);
  if (differences.length === 0) return command.unannounced;
  const unannounced = differences.reduce(
    (sum, { day, metrics }) => addChangedDay(sum, day.date, metrics),
    command.unannounced,
  );
  assertApplied(await commandRows(deps.store).recordUnannounced(userId, command, unannounced));
  await writeDays(deps, userId, differences);
  return unannounced;
}

async function readCanonicalDays(deps: Deps, userId: string, dates: readonly string[]) {
  const [first, last] = [dates[0] ?? allDays.to, dates.at(-1) ?? allDays.from];
  const daysByDate = new Map<string, CanonicalItem>();
  for await (const day of dayRows(deps.store).iterateCanonical(userId, first, last, { consistent: true }))
    daysByDate.set(day.date, day);
  return daysByDate;
}
