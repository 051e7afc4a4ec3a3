// Edge cases of nights and workouts: reports that overlap by exactly half, and nights that end at a
// distant offset.

import { minuteMs, type PickedEdgeCases, pickDay, type SessionEdgeCase } from './edge-case.ts';
import type { WireNight } from './scenario.ts';
import { makeSample } from './scenario-samples.ts';
import { makeMinutes, makeWorkoutNumbers, writeNight } from './scenario-sessions.ts';
import {
  formatWithOffset,
  type Gadget,
  hourMs,
  instantAtHour,
  pickTimestampFormat,
  type ScenarioSetting,
} from './scenario-setting.ts';
import { nightAbroad, stagesWithoutNight, workoutAbroad } from './travel-edge-cases.ts';
import type { Span } from './zone-clock.ts';

export const sessionEdgeCases = (): SessionEdgeCase[] => [
  halfOverlappingNights,
  nightAcrossOffsets,
  halfOverlappingWorkouts,
  nightUntilMidnight,
  nightWithoutMinutes,
  stagesAsSamples,
  nightOfTwoDevices,
  shortSleeps,
  nightAbroad,
  stagesWithoutNight,
  workoutAbroad,
];

export function pickSessionEdgeCases(setting: ScenarioSetting): PickedEdgeCases {
  const { random, gadgets } = setting;
  const chosen = sessionEdgeCases().filter(() => random.chance(0.2));
  const placed = chosen.flatMap((scene) => {
    const [one = random.pick(gadgets), other = one] = random.shuffled(gadgets);
    return scene(setting, [one, random.chance(0.5) ? one : other]);
  });
  return { records: placed, names: chosen.map(({ name }) => name) };
}

/** The end of the first overlaps half of the second, or a second more or less. */
function halfOverlappingSpans({ random }: ScenarioSetting, end: number, maxLength: number): [Span, Span] {
  // By day, exactly three hours is just too short for a main sleep.
  const length = (random.chance(0.2) ? 18 : random.int(2, maxLength)) * 10 * minuteMs;
  const shorter = random.chance(0.3) ? length : random.int(600, length / 2000) * 2000;
  const slip = random.pick([0, 0, 0, 1000, -1000, -1000]);
  const from = end - shorter / 2 + slip;
  return [
    { from: end - length, to: end },
    { from, to: from + shorter },
  ];
}

const halfOverlappingNights: SessionEdgeCase = (setting, [one, other]) => {
  const { random, dates } = setting;
  const end = instantAtHour(setting, random.pick(dates), random.pick([8, 14, -0.1, 0.1, 23.9, 24.1]));
  const [first, second] = halfOverlappingSpans(setting, end, 48);
  const writeHalfNight = (gadget: Gadget, { from, to }: Span): WireNight => {
    const { deep_minutes: _deep, rem_minutes: _rem, ...minutes } = makeMinutes(random, (to - from) / minuteMs);
    return writeNight(gadget, random, from, to, minutes);
  };
  const [night, later] = [writeHalfNight(one, first), writeHalfNight(other, second)];
  const stage = (gadget: Gadget) => {
    const shared = (second.from + first.to) / 2;
    const middle = random.pick([shared, shared, first.to, first.from, second.to]);
    const span = { from: middle - 10 * minuteMs, to: middle + 10 * minuteMs };
    return makeSample(setting, gadget, random.pick(['rem_sleep', 'deep_sleep']), span);
  };
  return [
    // A repeated night does not count as received again.
    { gadget: one, sleep: random.chance(0.5) ? [night, night] : [night], samples: [stage(one)] },
    { gadget: other, sleep: [later], samples: random.chance(0.5) ? [stage(other)] : [] },
  ];
};

/** Written with the offsets of the places where it began and ended. */
const nightAcrossOffsets: SessionEdgeCase = (setting, [gadget]) => {
  const { random, dates } = setting;
  const from = instantAtHour(setting, random.pick(dates), random.between(-4, 2));
  const to = from + random.int(4, 9) * hourMs;
  const [there, here] = random.pick([
    [-720, 840],
    [600, -660],
    [-480, 540],
    [345, -210],
  ]);
  const minutes = makeMinutes(random, (to - from) / minuteMs);
  return [
    {
      gadget,
      sleep: [{ start: formatWithOffset(from, there ?? 0), end: formatWithOffset(to, here ?? 0), ...minutes }],
    },
  ];
};

/** Ends at midnight, or shortly before or after. In some zones, that is when the clocks change. */
const nightUntilMidnight: SessionEdgeCase = (setting, [gadget]) => {
  const { random } = setting;
  const day = pickDay(setting);
  const to =
    random.pick([day.from, day.to, day.to]) + random.pick([-30, -30, -30, 0, 30]) * minuteMs - random.pick([0, 1]);
  const from = to - random.int(2, 5) * hourMs;
  const minutes = makeMinutes(random, (to - from) / minuteMs);
  return [{ gadget, sleep: [writeNight({ ...gadget, habit: 'zulu' }, random, from, to, minutes)] }];
};

/** A night without minutes, or without the time asleep, and a nap that has them. */
const nightWithoutMinutes: SessionEdgeCase = (setting, [gadget]) => {
  const { random, dates } = setting;
  const date = random.pick(dates);
  const [from, nap] = [
    instantAtHour(setting, date, random.int(0, 2)),
    instantAtHour(setting, date, random.int(12, 16)),
  ];
  const to = from + random.int(4, 8) * hourMs;
  const someMinutes = random.pick([{}, {}, { in_bed_minutes: 300 }, { deep_minutes: 60 }]);
  return [
    {
      gadget,
      sleep: [
        writeNight(gadget, random, from, to, someMinutes),
        writeNight(gadget, random, nap, nap + hourMs, { asleep_minutes: 55, in_bed_minutes: 60 }),
      ],
    },
  ];
};

/**
 * Deep and REM sleep as samples, one of them perhaps reported by the surrounding night; sometimes
 * on both sides of midnight.
 */
const stagesAsSamples: SessionEdgeCase = (setting, [gadget]) => {
  const { random, dates } = setting;
  const from = instantAtHour(setting, random.pick(dates), random.int(-3, 2));
  const stage = (metric: string, hours: number) =>
    makeSample(setting, gadget, metric, { from: from + hours * hourMs, to: from + hours * hourMs + 40 * minuteMs });
  const night = writeNight(gadget, random, from, from + 6 * hourMs, random.pick([{}, { deep_minutes: 70 }]));
  return [
    {
      gadget,
      samples: [stage('deep_sleep', 1), stage('rem_sleep', 3), stage('rem_sleep', 5)].filter(() => random.chance(0.85)),
      sleep: random.chance(0.5) ? [night] : [],
    },
  ];
};

/** One night of two devices, of which each reports only some of its minutes. */
const nightOfTwoDevices: SessionEdgeCase = (setting, pair) => {
  const { random, dates } = setting;
  const from = instantAtHour(setting, random.pick(dates), random.int(-2, 1));
  return pair.map((gadget) => {
    const to = from + random.int(200, 480) * minuteMs;
    const minutes = Object.entries(makeMinutes(random, (to - from) / minuteMs)).filter(() => random.chance(0.5));
    return { gadget, sleep: [writeNight(gadget, random, from, to, Object.fromEntries(minutes))] };
  });
};

/** About an hour or three around a limit of the night, and at other hours. */
const shortSleeps: SessionEdgeCase = (setting, [gadget]) => {
  const { random, dates } = setting;
  const middle = instantAtHour(setting, random.pick(dates), random.pick([7, 7, 22, 22, 2, 14]));
  const half = random.pick([30, 30, 60, 90]) * minuteMs;
  const slip = random.pick([0, 0, 1, -1, 1000, -1000]);
  const from = middle - half + random.pick([0, slip]);
  const to = middle + half + random.pick([0, slip]);
  return [{ gadget, sleep: [writeNight(gadget, random, from, to, { asleep_minutes: half / minuteMs })] }];
};

const halfOverlappingWorkouts: SessionEdgeCase = (setting, pair) => {
  const { random, dates } = setting;
  const end = instantAtHour(setting, random.pick(dates), random.pick([9, 18, 24]));
  const spans = halfOverlappingSpans(setting, end, 12);
  return pair.map((gadget, at) => {
    const { from, to } = spans[at] ?? spans[0];
    const { write, utc_offset } = pickTimestampFormat(random, gadget, from);
    const stamped = { start: write(from), end: write(to), ...(utc_offset === undefined ? {} : { utc_offset }) };
    return { gadget, workouts: [{ type: 'running', ...stamped, ...makeWorkoutNumbers(random) }] };
  });
};
