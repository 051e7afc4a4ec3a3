// What every scene is made of.
import type { WireUpload } from './life.ts';
import { type Gadget, hourMs, type Setting } from './life-setting.ts';
import type { Amounted } from './life-values.ts';
import { metricOf } from './metric-table.ts';
import { dayBounds, type Span } from './zone-clock.ts';

export type Lists = Required<Pick<WireUpload, 'samples' | 'daily' | 'sleep' | 'workouts'>>;
/** What a scene gives one device to report. */
export interface Placed extends Partial<Lists> {
  gadget: Gadget;
}
/** A few records that aim at one border of the rules. */
export type Scene = (setting: Setting, metric: string, pair: readonly [Gadget, Gadget]) => Placed[];

export const minuteMs = 60_000;

/** One on which the clocks change, if there is such a one. */
export function someDay({ random, dates, home }: Setting): Span {
  const days = dates.map((date) => dayBounds(home, date)).filter(({ from, to }) => from < to);
  const changing = days.filter(({ from, to }) => to - from !== 24 * hourMs);
  return random.pick(changing.length > 0 && random.chance(0.7) ? changing : days);
}

export const small = ({ random }: Setting, metric: string): Amounted => ({
  value: random.int(1, 40),
  unit: metricOf(metric).unit,
});
