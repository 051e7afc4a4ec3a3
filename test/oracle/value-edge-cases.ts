// Edge cases whose numbers are on a rounding boundary, individually or as the sum or mean of
// several.

import { type DeviceRecords, type EdgeCase, minuteMs, pickDay, smallValue } from './edge-case.ts';
import { driftingParts, halfValue, neighbours, splitExactly } from './rounding-boundaries.ts';
import type { WireSample } from './scenario.ts';
import { makeSample } from './scenario-samples.ts';
import { type Gadget, hourMs, instantAtHour, type ScenarioSetting } from './scenario-setting.ts';
import type { UnitValue } from './scenario-values.ts';
import type { Span } from './zone-clock.ts';

/** Many small parts, whose sum in doubles drifts from the exact one. */
export const driftingSum: EdgeCase = (setting, metric, [gadget]) => {
  const { random, dates } = setting;
  const from = instantAtHour(setting, random.pick(dates), random.int(1, 12));
  const parts = driftingParts(random, metric);
  const length = random.pick([5, 10]) * minuteMs;
  const utcDevice = { ...gadget, habit: 'zulu' as const };
  return [
    {
      gadget,
      samples: parts.map((value, at) =>
        makeSample(setting, utcDevice, metric, { from: from + at * length, to: from + (at + 1) * length }, value),
      ),
    },
  ];
};

/**
 * One number on a boundary, split into parts of a minute each, next to a device that measures
 * later.
 */
export const splitIntoMinutes: EdgeCase = (setting, metric, [one, other]) => {
  const { random, dates } = setting;
  const from = instantAtHour(setting, random.pick(dates), random.int(1, 12)) + random.int(0, 4) * minuteMs;
  const parts = splitExactly(random, halfValue(random, metric));
  const sample = (gadget: Gadget, at: number, value: UnitValue): WireSample =>
    makeSample(setting, { ...gadget, habit: 'zulu' }, metric, { from: at, to: at + minuteMs }, value);
  return [
    { gadget: one, samples: parts.map((value, at) => sample(one, from + at * minuteMs, value)) },
    { gadget: other, samples: [sample(other, from + 2 * hourMs, smallValue(setting, metric))] },
  ];
};

/** Readings around midnight. */
export const readingsAtMidnight: EdgeCase = (setting, metric, pair) => {
  const { random } = setting;
  const { from, to } = pickDay(setting);
  return pair.map((gadget) => ({
    gadget,
    samples: [from, to, from - 1, to - 1, from + hourMs, to - hourMs]
      .filter(() => random.chance(0.4))
      .map((at) => makeSample(setting, gadget, metric, { from: at, to: at }, halfValue(random, metric))),
  }));
};

export const meanOnBoundary: EdgeCase = (setting, metric, pair) => {
  const { random, dates } = setting;
  const from = instantAtHour(setting, random.pick(dates), random.int(2, 20));
  const values = neighbours(random, metric);
  const apart = random.chance(0.3);
  return values.map((value, at) => ({
    gadget: apart ? (pair[at] ?? pair[0]) : pair[0],
    samples: [makeSample(setting, pair[0], metric, momentAfterTens(from, at), value)],
  }));
};

/** One number on a boundary, as a daily total or as the only sample of a day. */
export const valueOnBoundary: EdgeCase = (setting, metric, [gadget]) => {
  const { random, dates } = setting;
  const date = random.pick(dates);
  const value = halfValue(random, metric);
  if (random.chance(0.4)) return [{ gadget, daily: [{ date, metric, ...value }] }];
  const at = instantAtHour(setting, date, random.int(1, 22));
  return [{ gadget, samples: [makeSample(setting, gadget, metric, { from: at, to: at }, value)] }];
};

/** Several samples with the same start and different ends. */
export const samplesWithSameStart: EdgeCase = (setting, metric, [gadget]) => {
  const { random, dates } = setting;
  const from = instantAtHour(setting, random.pick(dates), random.int(1, 20));
  const ends = random.shuffled([0, 1, 10, 30]).slice(0, random.int(2, 3));
  return [
    {
      gadget,
      samples: ends.map((minutes) =>
        makeSample(setting, gadget, metric, { from, to: from + minutes * minuteMs }, halfValue(random, metric)),
      ),
    },
  ];
};

/** If there is a device that is ranked for this metric only; sometimes also for other devices. */
export function makeGlucoseRecords(setting: ScenarioSetting): DeviceRecords[] {
  const { random, gadgets, dates } = setting;
  if (!gadgets.some(({ type }) => type === 'cgm') && !random.chance(0.2)) return [];
  const from = instantAtHour(setting, random.pick(dates), random.int(2, 20));
  return gadgets.map((gadget, at) => {
    const other = { value: Number(random.between(3, 12).toFixed(1)), unit: 'mmol/L' };
    const value = random.chance(0.6) ? other : halfValue(random, 'blood_glucose');
    return {
      gadget,
      samples: [makeSample(setting, { ...gadget, habit: 'zulu' }, 'blood_glucose', momentAfterTens(from, at), value)],
    };
  });
}

const momentAfterTens = (from: number, at: number): Span => ({
  from: from + at * 10 * minuteMs,
  to: from + at * 10 * minuteMs,
});
