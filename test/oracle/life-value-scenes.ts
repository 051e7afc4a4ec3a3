// Scenes whose numbers lie on a rounding border, alone or as the sum or the mean of several.
import type { WireSample } from './life.ts';
import { crumbsOf, driftingPieces, halfValue, neighbours } from './life-borders.ts';
import { sampleOf } from './life-samples.ts';
import { minuteMs, type Placed, type Scene, small, someDay } from './life-scene.ts';
import { type Gadget, hourMs, hourOf, type Setting } from './life-setting.ts';
import type { Amounted } from './life-values.ts';
import type { Span } from './zone-clock.ts';

/** Many small pieces, whose doubles drift off what they come to. */
export const drifting: Scene = (setting, metric, [gadget]) => {
  const { random, dates } = setting;
  const from = hourOf(setting, random.pick(dates), random.int(1, 12));
  const pieces = driftingPieces(random, metric);
  const length = random.pick([5, 10]) * minuteMs;
  const speaking = { ...gadget, habit: 'zulu' as const };
  return [
    {
      gadget,
      samples: pieces.map((value, at) =>
        sampleOf(setting, speaking, metric, { from: from + at * length, to: from + (at + 1) * length }, value),
      ),
    },
  ];
};

/** One number on a border in crumbs of a minute each, beside somebody who measures later. */
export const crumbled: Scene = (setting, metric, [one, other]) => {
  const { random, dates } = setting;
  const from = hourOf(setting, random.pick(dates), random.int(1, 12)) + random.int(0, 4) * minuteMs;
  const crumbs = crumbsOf(random, halfValue(random, metric));
  const sample = (gadget: Gadget, at: number, value: Amounted): WireSample =>
    sampleOf(setting, { ...gadget, habit: 'zulu' }, metric, { from: at, to: at + minuteMs }, value);
  return [
    { gadget: one, samples: crumbs.map((value, at) => sample(one, from + at * minuteMs, value)) },
    { gadget: other, samples: [sample(other, from + 2 * hourMs, small(setting, metric))] },
  ];
};

/** Readings at the turn of a day. */
export const readAtMidnight: Scene = (setting, metric, pair) => {
  const { random } = setting;
  const { from, to } = someDay(setting);
  return pair.map((gadget) => ({
    gadget,
    samples: [from, to, from - 1, to - 1, from + hourMs, to - hourMs]
      .filter(() => random.chance(0.4))
      .map((at) => sampleOf(setting, gadget, metric, { from: at, to: at }, halfValue(random, metric))),
  }));
};

export const meanBetween: Scene = (setting, metric, pair) => {
  const { random, dates } = setting;
  const from = hourOf(setting, random.pick(dates), random.int(2, 20));
  const values = neighbours(random, metric);
  const apart = random.chance(0.3);
  return values.map((value, at) => ({
    gadget: apart ? (pair[at] ?? pair[0]) : pair[0],
    samples: [sampleOf(setting, pair[0], metric, at10(from, at), value)],
  }));
};

/** One number on a border, as the total of a day or as the only sample of one. */
export const statedHalf: Scene = (setting, metric, [gadget]) => {
  const { random, dates } = setting;
  const date = random.pick(dates);
  const value = halfValue(random, metric);
  if (random.chance(0.4)) return [{ gadget, daily: [{ date, metric, ...value }] }];
  const at = hourOf(setting, date, random.int(1, 22));
  return [{ gadget, samples: [sampleOf(setting, gadget, metric, { from: at, to: at }, value)] }];
};

/** Several samples that begin together and end apart. */
export const saidAtOnce: Scene = (setting, metric, [gadget]) => {
  const { random, dates } = setting;
  const from = hourOf(setting, random.pick(dates), random.int(1, 20));
  const ends = random.shuffled([0, 1, 10, 30]).slice(0, random.int(2, 3));
  return [
    {
      gadget,
      samples: ends.map((minutes) =>
        sampleOf(setting, gadget, metric, { from, to: from + minutes * minuteMs }, halfValue(random, metric)),
      ),
    },
  ];
};

/** Where there is a device that is believed for this metric only; now and then of others. */
export function sugarOf(setting: Setting): Placed[] {
  const { random, gadgets, dates } = setting;
  if (!gadgets.some(({ type }) => type === 'cgm') && !random.chance(0.2)) return [];
  const from = hourOf(setting, random.pick(dates), random.int(2, 20));
  return gadgets.map((gadget, at) => {
    const other = { value: Number(random.between(3, 12).toFixed(1)), unit: 'mmol/L' };
    const value = random.chance(0.6) ? other : halfValue(random, 'blood_glucose');
    return {
      gadget,
      samples: [sampleOf(setting, { ...gadget, habit: 'zulu' }, 'blood_glucose', at10(from, at), value)],
    };
  });
}

const at10 = (from: number, at: number): Span => ({ from: from + at * 10 * minuteMs, to: from + at * 10 * minuteMs });
