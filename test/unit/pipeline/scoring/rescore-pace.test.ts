// How long a million users take, sweep by sweep on virtual time, with writers that are busy with
// other work for a part of the day.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  adjustPace,
  busyBacklog,
  estimateMinutesLeft,
  firstPace,
  maxBacklogUsers,
  maxVisitsPerSweep,
  paceBounds,
} from '../../../../shared/pipeline/scoring/rescore-pace.ts';

const people = 1_000_000;
const hour = 60;

interface Migration {
  minutes: number;
  paces: number[];
  longestBacklog: number;
}

/** A sweep requests whole pages of a hundred users. */
const toWholePages = (pace: number): number => pace - (pace % 100);

/**
 * Each minute, the sweep requests users and the writers finish some, oldest first. Ends when all
 * were finished, and looked at once more.
 */
function migrate(finishedAt: (minute: number) => number): Migration {
  const waiting: { since: number; users: number }[] = [];
  const paces: number[] = [];
  let [pace, requested, finished, longestBacklog, minute] = [firstPace, 0, 0, 0, 0];
  for (; finished < people; minute++) {
    const isOld = ({ since }: { since: number }) => (minute - since) * 60_000 >= busyBacklog.forMs;
    const old = waiting.filter(isOld).reduce((sum, { users }) => sum + users, 0);
    const isPaused = old >= maxBacklogUsers;
    if (minute > 0 && !isPaused) pace = adjustPace(pace, old >= busyBacklog.users);
    paces.push(pace);
    const added = isPaused ? 0 : Math.min(toWholePages(pace), people - requested);
    requested += added;
    waiting.push({ since: minute, users: added });
    longestBacklog = Math.max(longestBacklog, requested - finished);
    let capacity = finishedAt(minute);
    for (const each of waiting) {
      const done = Math.min(each.users, capacity);
      [each.users, capacity, finished] = [each.users - done, capacity - done, finished + done];
    }
    while (waiting[0]?.users === 0) waiting.shift();
  }
  return { minutes: minute + people / maxVisitsPerSweep, paces, longestBacklog };
}

const decisions = readFileSync(new URL('../../../../infra/decisions.md', import.meta.url), 'utf8');
const hours = (minutes: number) => `${(minutes / hour).toFixed(1)} hours`;

const expectInDecisions = (text: string) => expect([text, decisions.includes(text)]).toEqual([text, true]);

describe('a million users', () => {
  test('are done within 18.6 hours without other work, at less than half of the default write quota', () => {
    const { minutes, paces } = migrate(() => Number.POSITIVE_INFINITY);
    expect(minutes).toBeLessThanOrEqual(18.6 * hour);
    expectInDecisions(`A million users take ${hours(minutes)}`);
    expect(Math.max(...paces)).toBe(paceBounds.max);
    const unitsPerUserYear = 1_100;
    expect((paceBounds.max * unitsPerUserYear) / 60).toBeLessThan(20_000);
  });

  test('are done within a day if writers finish no more than the minimum for any eight hours', () => {
    let longest = 0;
    fc.assert(
      fc.property(
        // Whether each of the first 24 hours is busy: eight in a row, or at any time.
        fc.oneof(
          fc.integer({ min: 0, max: 12 }).map((first) => Array.from({ length: 8 }, (_none, at) => first + at)),
          fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { minLength: 8, maxLength: 8 }),
        ),
        fc.integer({ min: paceBounds.max + 100, max: 5_000 }),
        (busyHours, capacity) => {
          const isBusy = (minute: number) => busyHours.includes(Math.floor(minute / hour));
          const run = migrate((minute) => (isBusy(minute) ? paceBounds.min : capacity));
          longest = Math.max(longest, run.minutes);
          expect(run.minutes).toBeLessThanOrEqual(24 * hour);
          expect(Math.max(...run.paces)).toBeLessThanOrEqual(paceBounds.max);
          expect(Math.min(...run.paces)).toBe(paceBounds.min);
          // In a busy hour the pace settles at the minimum, apart from attempts to rise.
          for (const each of busyHours.filter((busy) => (busy + 1) * hour < run.paces.length)) {
            const paces = run.paces.slice(each * hour + 20, (each + 1) * hour);
            expect(paces.reduce((sum, pace) => sum + pace, 0) / paces.length).toBeLessThan(1.2 * paceBounds.min);
          }
        },
      ),
      { numRuns: 60 },
    );
    expect(longest).toBeGreaterThan(20 * hour);
    const worst = migrate((minute) => (minute < 8 * hour ? paceBounds.min : 2 * paceBounds.max));
    expectInDecisions(`or ${hours(worst.minutes)} if`);
  });

  test('of whom none can be finished for hours add no more than a bounded backlog', () => {
    const { longestBacklog } = migrate((minute) => (minute < 5 * hour ? 0 : 2_000));
    expect(longestBacklog).toBeLessThanOrEqual(maxBacklogUsers + 3 * paceBounds.max);
  });
});

describe('the expected end', () => {
  test('is the rest of the round at the pace, and a last round', () => {
    const estimate = (visitedInRound: number, requestedInRound: number, pace = 500) =>
      estimateMinutesLeft({ pace, requested: requestedInRound, visitedInRound, requestedInRound }, 100_000);
    expect(estimate(0, 0)).toBe(100_000 / 500 + 10);
    expect(estimate(50_000, 50_000)).toBe(50_000 / 500 + 10);
    expect(estimate(50_000, 5_000)).toBe(5_000 / 500 + 10);
    expect(estimate(40_000, 0)).toBe(6);
  });

  test('is when an undisturbed migration ends, give or take the first minutes', () => {
    const { minutes } = migrate(() => Number.POSITIVE_INFINITY);
    const atStart = { pace: paceBounds.max, requested: 0, visitedInRound: 0, requestedInRound: 0 };
    expect(Math.abs(minutes - estimateMinutesLeft(atStart, people))).toBeLessThan(10);
  });

  test('stays the same from one minute to the next at full pace, also when a round ends', () => {
    const { minutes, paces } = migrate(() => Number.POSITIVE_INFINITY);
    let requested = 0;
    const firstRound = paces.map((pace) => {
      requested = Math.min(people, requested + toWholePages(pace));
      const inRound = requested === people ? 0 : requested;
      return { pace, requested, visitedInRound: inRound, requestedInRound: inRound };
    });
    const lastRound = Array.from({ length: people / maxVisitsPerSweep - 1 }, (_none, at) => ({
      ...{ pace: paceBounds.max, requested: people },
      ...{ visitedInRound: (at + 1) * maxVisitsPerSweep, requestedInRound: 0 },
    }));
    const ends = [...firstRound, ...lastRound].map((each, at) => at + 1 + estimateMinutesLeft(each, people));
    for (const end of ends.slice(paces.indexOf(paceBounds.max))) expect(Math.abs(end - minutes)).toBeLessThan(3);
  });
});
