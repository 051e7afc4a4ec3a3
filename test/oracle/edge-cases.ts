// The edge cases of a scenario, on metrics that the rest of it does not use, including those that
// target a boundary in time.

import { hasRepeatingDecimals, hundredths, sameInstants } from './device-edge-cases.ts';
import { type DeviceRecords, type EdgeCase, minuteMs, type PickedEdgeCases, pickDay, smallValue } from './edge-case.ts';
import { metrics } from './metric-table.ts';
import { isMerged, mergedMetrics, stageMetrics } from './rules.ts';
import type { WireSample } from './scenario.ts';
import { makeSample } from './scenario-samples.ts';
import { type Gadget, hourMs, instantAtHour, offsetText, type ScenarioSetting } from './scenario-setting.ts';
import { readingsAbroad, totalWithSamples, walkAbroad } from './travel-edge-cases.ts';
import {
  driftingSum,
  makeGlucoseRecords,
  meanOnBoundary,
  readingsAtMidnight,
  samplesWithSameStart,
  splitIntoMinutes,
  valueOnBoundary,
} from './value-edge-cases.ts';
import { dayBounds, type Span } from './zone-clock.ts';

const plainMetrics = metrics.map(({ id }) => id).filter((id) => !isMerged(id) && !stageMetrics.includes(id));

/** For cumulative metrics, repeated as often as they are tried. */
export const cumulativeEdgeCases = (): EdgeCase[] => [
  momentsAtBoundaries,
  equalShares,
  dayLong,
  acrossMidnight,
  acrossMidnight,
  driftingSum,
  splitIntoMinutes,
  oppositeOffsets,
  sameInstants,
  hundredths,
  hundredths,
  walkAbroad,
  totalWithSamples,
];

/** For all other metrics. */
export const readingEdgeCases = (): EdgeCase[] => [
  readingsAtMidnight,
  meanOnBoundary,
  valueOnBoundary,
  valueOnBoundary,
  samplesWithSameStart,
  readingsAbroad,
];

/** Each edge case uses its own metric. */
export function pickEdgeCases(
  setting: ScenarioSetting,
  usedMetrics: readonly string[],
): PickedEdgeCases & { metrics: string[] } {
  const { random, gadgets } = setting;
  const pair = (): [Gadget, Gadget] => {
    const [one = random.pick(gadgets), other = one] = random.shuffled(gadgets);
    return [one, other];
  };
  const freeMergedMetrics = random.shuffled(mergedMetrics.filter((metric) => !usedMetrics.includes(metric)));
  const others = random.shuffled(plainMetrics.filter((metric) => !usedMetrics.includes(metric)));
  const chosen: [EdgeCase, string | undefined][] = [
    ...cumulativeEdgeCases().flatMap((scene): typeof chosen =>
      random.chance(0.35)
        ? [[scene, scene === hundredths ? takeMetricWithRepeatingDecimals(freeMergedMetrics) : freeMergedMetrics.pop()]]
        : [],
    ),
    ...readingEdgeCases().flatMap((scene): typeof chosen => (random.chance(0.5) ? [[scene, others.pop()]] : [])),
  ];
  const chosenWithMetric = chosen.flatMap(([scene, metric]) => (metric === undefined ? [] : [{ scene, metric }]));
  return {
    records: [
      ...chosenWithMetric.flatMap(({ scene, metric }) => scene(setting, metric, pair())),
      ...(usedMetrics.includes('blood_glucose') ? [] : makeGlucoseRecords(setting)),
    ],
    names: chosenWithMetric.map(({ scene }) => scene.name),
    metrics: chosenWithMetric.map(({ metric }) => metric),
  };
}

/** A metric with repeating decimals in its other units, if one is left. */
function takeMetricWithRepeatingDecimals(freeMergedMetrics: string[]): string | undefined {
  const at = freeMergedMetrics.findLastIndex(hasRepeatingDecimals);
  return at < 0 ? freeMergedMetrics.pop() : freeMergedMetrics.splice(at, 1)[0];
}

/**
 * Instant samples where another device's interval begins and ends, and where it has an instant
 * sample itself, in both directions.
 */
const momentsAtBoundaries: EdgeCase = (setting, metric, [one, other]) => {
  const { random, dates } = setting;
  const first =
    instantAtHour(setting, random.pick(dates), random.int(0, 12)) + random.pick([0, minuteMs, 1000, 300_000]);
  return [one, other].flatMap((gadget, at): DeviceRecords[] => {
    const rival = gadget === one ? other : one;
    const from = first + at * 5 * hourMs;
    const to = from + random.pick([20, 60, 90]) * minuteMs;
    const apart = to + hourMs;
    const sample = (owner: Gadget, start: number, end = start): WireSample =>
      makeSample(setting, owner, metric, { from: start, to: end }, smallValue(setting, metric));
    // No two samples of a device are within five minutes, because they might be merged.
    const aimed = [random.pick([to, to, to - 1000]), random.pick([from, from - 1000]), apart];
    return [
      { gadget, samples: [sample(gadget, from, to), sample(gadget, apart)] },
      { gadget: rival, samples: aimed.filter(() => random.chance(0.5)).map((moment) => sample(rival, moment)) },
    ];
  });
};

/** Two devices with equal shares. */
const equalShares: EdgeCase = (setting, metric, [one, other]) => {
  const { random, dates } = setting;
  const from = instantAtHour(setting, random.pick(dates), random.int(0, 18));
  const { value, unit } = smallValue(setting, metric);
  const hours = random.int(1, 3) * hourMs;
  const half = { from, to: from + hours };
  const rest = { from: from + hours, to: from + 2 * hours };
  const sample = (gadget: Gadget, span: Span, amount: number): DeviceRecords => ({
    gadget,
    samples: [makeSample(setting, { ...gadget, habit: 'zulu' }, metric, span, { value: amount, unit })],
  });
  // Twice the value over twice the time: half of it remains next to the other device's sample.
  const both = random.chance(0.3) ? sample(other, { from, to: rest.to }, 2 * value) : sample(other, rest, value);
  return [sample(one, half, value), both];
};

/** A sample of the maximum length at an extreme offset, with another sample on its last day. */
const dayLong: EdgeCase = (setting, metric, [gadget]) => {
  const { random, dates } = setting;
  const offsetMinutes = random.pick([840, 840, 825, 780, -720, -570]);
  const { from: midnight } = dayBounds({ offsetMinutes }, random.pick(dates));
  const from = midnight + random.int(0, 23) * hourMs + random.pick([0, 0, 30 * minuteMs, 1]);
  const to = from + random.pick([24 * hourMs, 25 * hourMs, 25 * hourMs - 1, 24.5 * hourMs, 24 * hourMs + 1000]);
  const written = (span: Span): WireSample => ({
    ...makeSample(setting, { ...gadget, habit: 'zulu' }, metric, span, smallValue(setting, metric)),
    utc_offset: offsetText(offsetMinutes),
  });
  const later = midnight + 26 * hourMs + random.int(0, 20) * hourMs;
  return [{ gadget, samples: [written({ from, to }), written({ from: later, to: later + 10 * minuteMs })] }];
};

const boundaryDistances = [
  0,
  1,
  1000,
  15 * minuteMs,
  30 * minuteMs,
  45 * minuteMs,
  60 * minuteMs,
  90 * minuteMs,
  150 * minuteMs,
];

/**
 * Across a local midnight, up to it, from it on, or a second past it; sometimes across a whole day
 * on which the clocks change.
 */
const acrossMidnight: EdgeCase = (setting, metric, pair) => {
  const { random } = setting;
  const { from, to } = pickDay(setting);
  return pair.map((gadget) => {
    const spans = Array.from({ length: random.int(1, 3) }, (): Span => {
      if (random.chance(to - from === 24 * hourMs ? 0.2 : 0.6))
        return { from: from + 30 * minuteMs, to: Math.min(to, from + 24 * hourMs) + 20 * minuteMs };
      const at = random.pick([from, to]);
      const [before, after] = [random.pick(boundaryDistances), random.pick(boundaryDistances)];
      return { from: at - before, to: at + after };
    });
    const utcDevice = random.chance(0.8) ? { ...gadget, habit: 'zulu' as const } : gadget;
    return {
      gadget,
      samples: spans.map((span) => makeSample(setting, utcDevice, metric, span, smallValue(setting, metric))),
    };
  });
};

/** The same hour at the two extreme offsets, where its dates are two days apart. */
const oppositeOffsets: EdgeCase = (setting, metric, pair) => {
  const { random, dates } = setting;
  const noon = Date.parse(`${random.pick(dates)}T11:00:00Z`);
  const offsets = random.shuffled([840, -720]);
  return pair.map((gadget, at) => {
    const from = noon + random.int(-12, 6) * 5 * minuteMs;
    const span = { from, to: from + random.int(1, 6) * 5 * minuteMs };
    const sample = makeSample(setting, { ...gadget, habit: 'zulu' }, metric, span, smallValue(setting, metric));
    return { gadget, samples: [{ ...sample, utc_offset: offsetText(offsets[at] ?? 0) }] };
  });
};
