// The stages of every simulated sleep fill it in order and add up to its minutes.
import { describe, expect, test } from 'vitest';
import { personaIds } from '../../../../shared/catalog/sandbox.ts';
import type { SleepStage } from '../../../../shared/catalog/sleep-stages.ts';
import type { StagePeriod } from '../../../../shared/measurements/records.ts';
import { planDay } from '../../../../shared/sandbox/life/day-plan.ts';
import type { PlannedSleep } from '../../../../shared/sandbox/life/plan-sleep.ts';
import { buildSandboxDay } from '../../../../shared/sandbox/life/sandbox-day.ts';
import { createSimulatedUser } from '../../../../shared/sandbox/life/simulated-user.ts';
import { simulateSleepStages } from '../../../../shared/sandbox/life/sleep-stages.ts';
import { simulateDay } from '../../../../shared/sandbox/provider-server/simulate-days.ts';
import { makeId } from '../../../../shared/system/ids.ts';

const minuteMs = 60_000;
const userIds = Array.from({ length: 8 }, (_none, seed) =>
  makeId('user', 1_780_000_000_000, new Uint8Array(10).fill(3 + 17 * seed)),
);
/** Berlin's clocks change on the first two. */
const dates = ['2026-03-29', '2026-10-25', '2026-06-01', '2026-06-02', '2026-06-03', '2026-06-04'];

interface Night extends PlannedSleep {
  stages: readonly StagePeriod[];
}

const listNights = (persona: (typeof personaIds)[number]): Night[] =>
  userIds.flatMap((userId) => {
    const user = createSimulatedUser({ userId, persona, timezone: 'Europe/Berlin' });
    return dates.flatMap((date) =>
      planDay(user, date).sleeps.map((sleep): Night => ({ ...sleep, stages: simulateSleepStages(user, sleep) })),
    );
  });

const minutesOf = (stages: readonly StagePeriod[], counted: SleepStage): number =>
  stages
    .filter(({ stage }) => stage === counted)
    .reduce((sum, { startMs, endMs }) => sum + (endMs - startMs) / minuteMs, 0);

function isContiguous({ startMs, endMs, stages }: Night): boolean {
  const follows = stages.every((period, at) => period.startMs === (stages[at - 1]?.endMs ?? startMs));
  return follows && stages.at(-1)?.endMs === endMs;
}

function isInWholeMinutes({ stages }: Night): boolean {
  const minutes = stages.map(({ startMs, endMs }) => (endMs - startMs) / minuteMs);
  return minutes.every((each) => each > 0 && Number.isInteger(each));
}

const hasPlannedMinutes = ({ stages, deepMinutes, remMinutes, lightMinutes, awakeMinutes }: Night): boolean =>
  minutesOf(stages, 'deep') === deepMinutes &&
  minutesOf(stages, 'rem') === remMinutes &&
  minutesOf(stages, 'light') === lightMinutes &&
  minutesOf(stages, 'awake') === awakeMinutes;

function hasUsualCourse({ startMs, endMs, deepMinutes, remMinutes, stages }: Night): boolean {
  const middleMs = (startMs + endMs) / 2;
  const early = stages
    .filter((period) => period.startMs < middleMs)
    .map((period) => ({ ...period, endMs: Math.min(period.endMs, middleMs) }));
  return minutesOf(early, 'deep') > deepMinutes / 2 && minutesOf(early, 'rem') < remMinutes / 2;
}

describe.each(personaIds)('the sleep of %s', (persona) => {
  const nights = listNights(persona);

  test('consists of stages in whole minutes, from its start to its end without gaps', () => {
    expect(nights.length).toBeGreaterThanOrEqual(userIds.length * dates.length);
    expect(nights.filter((night) => !isContiguous(night))).toEqual([]);
    expect(nights.filter((night) => !isInWholeMinutes(night))).toEqual([]);
    const isDivided = ({ stages }: Night) => stages.some(({ stage }, at) => stage === stages[at + 1]?.stage);
    expect(nights.filter(isDivided)).toEqual([]);
  });

  test('has as many minutes in each stage as its plan', () =>
    expect(nights.filter((night) => !hasPlannedMinutes(night))).toEqual([]));

  test('has most of its deep sleep in the first half of a night and most of its REM in the second', () => {
    const long = nights.filter(({ asleepMinutes }) => asleepMinutes > 300);
    expect(long.length).toBeGreaterThan(0);
    expect(long.filter((night) => !hasUsualCourse(night))).toEqual([]);
  });
});

test('uploads and simulated providers report the same stages, each time', () => {
  const life = { userId: userIds[0] ?? '', persona: 'average', timezone: 'Europe/Berlin' } as const;
  const { ring } = buildSandboxDay({ ...life, date: '2026-06-03' });
  const [night] = simulateDay({ ...life, worn: 'ring' }, '2026-06-03', Date.parse('2026-06-05')).sleeps;
  const uploaded = ring.sleep[0]?.stages.map(({ stage, start, end }) => ({
    stage,
    startMs: Date.parse(start),
    endMs: Date.parse(end),
  }));
  expect(uploaded).toEqual(night?.stages);
  expect(uploaded?.length).toBeGreaterThan(10);
});
