// The building blocks of edge cases.
import { profileClock } from './days.ts';
import { metricOf } from './metric-table.ts';
import type { WireUpload } from './scenario.ts';
import { type Gadget, hourMs, type ScenarioSetting } from './scenario-setting.ts';
import type { UnitValue } from './scenario-values.ts';
import { dayBounds, type Span } from './zone-clock.ts';

export type RecordLists = Required<Pick<WireUpload, 'samples' | 'daily' | 'sleep' | 'workouts'>>;
/** The records that an edge case assigns to one device. */
export interface DeviceRecords extends Partial<RecordLists> {
  gadget: Gadget;
}
/** A few records that target one boundary of the rules. */
export type EdgeCase = (setting: ScenarioSetting, metric: string, pair: readonly [Gadget, Gadget]) => DeviceRecords[];
/** The same for nights and workouts. */
export type SessionEdgeCase = (setting: ScenarioSetting, pair: readonly [Gadget, Gadget]) => DeviceRecords[];
/** The edge cases of a scenario: their records and names. */
export interface PickedEdgeCases {
  records: DeviceRecords[];
  names: string[];
}

export const minuteMs = 60_000;

/** A day in one of the profile's time zones, preferably one on which the clocks change. */
export function pickDay({ random, dates, home, moves }: ScenarioSetting): Span {
  const zone = moves.length > 0 && random.chance(0.4) ? random.pick(moves) : undefined;
  const clock = zone === undefined ? home : profileClock({ timezone: zone });
  const days = dates.map((date) => dayBounds(clock, date)).filter(({ from, to }) => from < to);
  const changing = days.filter(({ from, to }) => to - from !== 24 * hourMs);
  return random.pick(changing.length > 0 && random.chance(0.7) ? changing : days);
}

export const smallValue = ({ random }: ScenarioSetting, metric: string): UnitValue => ({
  value: random.int(1, 40),
  unit: metricOf(metric).unit,
});
