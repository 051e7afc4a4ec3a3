// Samples of a scenario: blocks, bursts, instants and long intervals of cumulative metrics,
// readings of others, and reported totals.
import { metricOf } from './metric-table.ts';
import type { WireSample, WireTotal } from './scenario.ts';
import { type Gadget, hourMs, instantAtHour, pickTimestampFormat, type ScenarioSetting } from './scenario-setting.ts';
import { makeValue } from './scenario-values.ts';
import type { Span } from './zone-clock.ts';

export function makeSample(
  { random }: ScenarioSetting,
  gadget: Gadget,
  metric: string,
  { from, to }: Span,
  value = makeValue(random, metric, Math.max(1, (to - from) / hourMs)),
): WireSample {
  const { write, utc_offset } = pickTimestampFormat(random, gadget, from);
  const ends = to > from || random.chance(0.05);
  return {
    metric,
    start: write(from),
    ...(ends ? { end: write(to) } : {}),
    ...value,
    ...(utc_offset === undefined ? {} : { utc_offset }),
  };
}

/** For a merged metric, where several devices compete. */
export function makeAdditiveSamples(setting: ScenarioSetting, gadget: Gadget, metric: string): WireSample[] {
  const { random, dates } = setting;
  return dates.flatMap((date) => {
    if (random.chance(0.25)) return [];
    const [first, last] = random.pick([
      [6, 12],
      [12, 20],
      [8, 18],
      [0, 24],
      [21, 27],
    ]);
    const day = { from: instantAtHour(setting, date, first), to: instantAtHour(setting, date, last) };
    const pattern = random.weighted([
      [3, blocks],
      [3, ragged],
      [2, burst],
      [1, moments],
      [1, long],
      [1, tiny],
      [2, fractions],
    ]);
    return pattern(setting, day).map(({ value, ...span }) => {
      const smallValue = value === undefined ? undefined : { value, unit: smallUnit(metric) };
      return makeSample(setting, gadget, metric, span, smallValue);
    });
  });
}

type Pattern = (setting: ScenarioSetting, day: Span) => (Span & { value?: number })[];

/** On a grid, with gaps. */
const blocks: Pattern = ({ random }, { from, to }) => {
  const step = random.pick([5, 10, 15, 30, 60, 60]) * 60_000;
  const start = from + random.int(0, Math.floor((to - from) / step / 2)) * step;
  return Array.from({ length: random.int(1, 10) }, (_none, at) => start + at * step)
    .filter((at) => at + step <= to + hourMs && random.chance(0.75))
    .map((at) => ({ from: at, to: at + step }));
};

const ragged: Pattern = ({ random, anchors }, { from, to }) =>
  Array.from({ length: random.int(1, 5) }, () => {
    const near = anchors.filter((anchor) => from <= anchor && anchor < to);
    const start = near.length > 0 && random.chance(0.5) ? random.pick(near) : roundToSeconds(random.between(from, to));
    const length = random.pick([61, 299, 300, 301, random.int(61, 3 * 3600), random.int(61, 3 * 3600)]) * 1000;
    return { from: start, to: start + length + (random.chance(0.05) ? random.int(1, 999) : 0) };
  });

const burst: Pattern = ({ random, anchors }, { from, to }) => {
  const length = random.int(10, 100) * 1000;
  const gap = random.chance(0.5) ? 0 : random.int(1, 90) * 1000;
  const start = random.chance(0.3) ? random.pick(anchors) : roundToSeconds(random.between(from, to));
  return Array.from({ length: random.int(3, 25) }, (_none, at) => start + at * (length + gap)).map((at) => ({
    from: at,
    to: at + length,
  }));
};

const moments: Pattern = ({ random, anchors }, { from, to }) =>
  Array.from({ length: random.int(1, 6) }, () => {
    const at = random.chance(0.4) ? random.pick(anchors) : roundToSeconds(random.between(from, to));
    return { from: at, to: at };
  });

const long: Pattern = ({ random }, { from }) => {
  const hours = random.pick([6, 12, 24, 25, random.between(4, 25)]);
  return [{ from, to: from + Math.round(hours * 3600) * 1000 }];
};

/** Many equal small amounts, whose sum is only correct if none of them is rounded. */
const tiny: Pattern = ({ random }, { from }) => {
  const length = random.pick([10, 20, 60]) * 1000;
  const value = random.pick([0.4, 0.6, 1.4, 0.02]);
  return Array.from({ length: random.int(40, 150) }, (_none, at) => ({
    from: from + at * length,
    to: from + (at + 1) * length,
    value,
  }));
};
/** Integers over whole hours, whose shares are often exactly on a rounding boundary. */
const fractions: Pattern = ({ random }, { from }) =>
  Array.from({ length: random.int(1, 3) }, () => {
    const start = from + random.int(0, 40) * 15 * 60_000;
    return {
      from: start,
      to: start + random.pick([0.75, 1, 1.25, 1.75, 2, 3, 5, 6, 7, 9]) * hourMs,
      value: random.int(1, 12) * random.pick([1, 5]),
    };
  });
/** The unit of a small amount, by the metric's unit. Every other metric uses its own unit. */
const smallUnits: Record<string, string> = { min: 's', km: 'm' };
function smallUnit(metric: string): string {
  const { unit } = metricOf(metric);
  return smallUnits[unit] ?? unit;
}

/** For any other metric: single readings, some of them over an interval. */
export function makeReadings(setting: ScenarioSetting, gadget: Gadget, metric: string): WireSample[] {
  const { random, dates, anchors } = setting;
  return dates.flatMap((date) =>
    Array.from({ length: random.int(0, 5) }, () => {
      const midnight = random.chance(0.15);
      const hour = midnight ? random.pick([0, 24]) + random.between(-0.2, 0.2) : random.between(0, 24);
      const from = random.chance(0.2) ? random.pick(anchors) : instantAtHour(setting, date, hour);
      const to = random.chance(0.3) ? from + random.int(1, 3600) * 1000 : from;
      return makeSample(setting, gadget, metric, { from, to }, makeValue(random, metric));
    }),
  );
}

export const makeTotals = ({ random, dates }: ScenarioSetting, metric: string): WireTotal[] =>
  dates.filter(() => random.chance(0.5)).map((date) => ({ date, metric, ...makeValue(random, metric, 10) }));

const roundToSeconds = (ms: number): number => Math.round(ms / 1000) * 1000;
