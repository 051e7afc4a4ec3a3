// Scenes of two devices that tell of the same minutes: at the same instants, or of parts that the other has measured better.
import type { WireSample } from './life.ts';
import { sampleOf } from './life-samples.ts';
import { minuteMs, type Scene, small } from './life-scene.ts';
import { type Gadget, hourMs, hourOf } from './life-setting.ts';
import { type Amounted, unitsOf } from './life-values.ts';
import { metricOf } from './metric-table.ts';
import type { Span } from './zone-clock.ts';

/** Moments of both within a few minutes, some at one instant. */
export const sameInstants: Scene = (setting, metric, pair) => {
  const { random, dates } = setting;
  const from = hourOf(setting, random.pick(dates), random.int(1, 20)) + random.int(0, 4) * minuteMs;
  const instants = [0, 1, 2, 3, 4, 6].map((minutes) => from + minutes * minuteMs + random.pick([0, 0, 1000, 1]));
  return pair.map((gadget) => ({
    gadget,
    samples: instants
      .filter(() => random.chance(0.6))
      .map((at) => sampleOf(setting, gadget, metric, { from: at, to: at }, small(setting, metric))),
  }));
};

/** Hundredths of another unit, some within five minutes, and a part of them where the other device measured, too. */
export const hundredths: Scene = (setting, metric, [one, other]) => {
  const { random, dates } = setting;
  const from = hourOf(setting, random.pick(dates), random.int(1, 14));
  const unit = random.pick(unitsOf(metricOf(metric)));
  const said = (): Amounted => ({
    value: random.int(1, unit === 'h' ? 40 : 400) / random.pick([100, 100, 10]),
    unit,
  });
  const sample = (gadget: Gadget, { from: start, to }: Span, value: Amounted): WireSample =>
    sampleOf(setting, { ...gadget, habit: 'zulu' }, metric, { from: start, to }, value);
  const minute = (at: number): Span => ({ from: from + at * minuteMs, to: from + (at + 1) * minuteMs });
  const hours = { from: from + 2 * hourMs, to: from + 3 * hourMs };
  return [one, other].map((gadget) => ({
    gadget,
    samples:
      gadget === one
        ? [...[0, 1, 3, 8, 9, 21].map(minute), hours].map((span) => sample(gadget, span, said()))
        : [sample(gadget, { from: hours.from, to: hours.to + random.pick([0, hourMs]) }, small(setting, metric))],
  }));
};
