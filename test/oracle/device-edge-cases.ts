// Edge cases of two devices that report the same minutes: at the same instants, or parts that the
// higher-ranked device also measured.

import { type EdgeCase, minuteMs, smallValue } from './edge-case.ts';
import { metricOf } from './metric-table.ts';
import { makeSample } from './scenario-samples.ts';
import { hourMs, instantAtHour } from './scenario-setting.ts';
import { type UnitValue, unitsOf } from './scenario-values.ts';

/** Instant samples of both devices within a few minutes, some at the same instant. */
export const sameInstants: EdgeCase = (setting, metric, pair) => {
  const { random, dates } = setting;
  const from = instantAtHour(setting, random.pick(dates), random.int(1, 20)) + random.int(0, 4) * minuteMs;
  const instants = [0, 1, 2, 3, 4, 6].map((minutes) => from + minutes * minuteMs + random.pick([0, 0, 1000, 1]));
  return pair.map((gadget) => ({
    gadget,
    samples: instants
      .filter(() => random.chance(0.6))
      .map((at) => makeSample(setting, gadget, metric, { from: at, to: at }, smallValue(setting, metric))),
  }));
};

/** Units whose hundredths have repeating decimals in the metric's own unit. */
const unitsWithRepeatingDecimals: Record<string, string[]> = { kcal: ['kJ', 'kJ', 'J'], min: ['s'] };
export const hasRepeatingDecimals = (metric: string): boolean => metricOf(metric).unit in unitsWithRepeatingDecimals;

/**
 * Hundredths of a unit, mostly not the metric's own: some within five minutes, and an hour that
 * both devices report.
 */
export const hundredths: EdgeCase = (setting, metric, pair) => {
  const { random, dates } = setting;
  const noon = instantAtHour(setting, random.pick(dates), random.int(4, 14));
  const own = metricOf(metric).unit;
  const unit = random.pick(random.chance(0.7) ? (unitsWithRepeatingDecimals[own] ?? [own]) : unitsOf(metricOf(metric)));
  const shared = { from: noon, to: noon + hourMs };
  return pair.map((gadget, at) => {
    const from = noon + (at === 0 ? -2 : 2) * hourMs;
    const minutes = random.shuffled([0, 1, 2, 3, 5, 6, 8, 10, 12, 13, 14]).slice(0, random.int(3, 9));
    const spans = minutes.map((minute) => ({ from: from + minute * minuteMs, to: from + (minute + 1) * minuteMs }));
    const makeAmount = (): UnitValue => ({
      value: random.int(1, unit === 'h' ? 40 : 400) / random.pick([100, 100, 10]),
      unit,
    });
    return {
      gadget,
      samples: [...spans, shared].map((span) =>
        makeSample(setting, { ...gadget, habit: 'zulu' }, metric, span, makeAmount()),
      ),
    };
  });
};
