// The heart of consolidation: what several devices said about a day becomes one value a metric, and the device it came from.
// A provider's devices are first reduced to one value; then the method runs over the enabled providers:
//   merge     at each moment the most believed device that measured then (see by-period.ts), over all devices
//   priority  the most believed device's value            max  the largest value, of equal ones the most believed
//   avg, sum  in exact decimals; the source is the device with the largest share, or the most
//             believed where values do not accrue
// A group's members describe one night or one cuff reading together, so they come from one device:
//   priority  the most believed device with the lead member (time asleep, systolic pressure) supplies all, because a device that knows
//             only the time in bed has not measured the night; without any lead, the most believed with any member
//   max       the device with the largest lead supplies all, because members of different nights do not belong together
//   avg       each member is averaged by itself, because a mean is nobody's night anyway; one device per provider, chosen as above
// What the chosen device lacks stays absent: it is never filled from another.

import type { ConsolidationSettings } from '../catalog/consolidation-settings.ts';
import { metricTable } from '../catalog/metric-table.ts';
import type { MetricId } from '../catalog/metrics.ts';
import { type CanonicalRow, emptyCanonicalRow } from '../measurements/codec/canonical-day.ts';
import type { NormalizedRow } from '../measurements/codec/normalized-day.ts';
import { meanOf, sumOf } from '../platform/arithmetic.ts';
import { byPeriod, largestShare, type Parts, type PeriodValue, type Share } from './by-period.ts';
import { type CombinedPlan, type GroupPlan, type KeyPlan, type MergeDevice, planMerge } from './merge-plan.ts';

/**
 * Rows of devices that are not in the list are left out. `beside` are rows of other days that touch the same hours; `parts` is told what each
 * device gave, where values may be made of several. The row it returns is the same every time and holds until the next day is merged.
 */
export type MergeDay = (
  rows: readonly NormalizedRow[],
  beside?: readonly NormalizedRow[],
  parts?: Map<number, Parts>,
) => CanonicalRow;

const none = -1;
const nothing = emptyCanonicalRow().values;
const accruing = new Set<number>(metricTable.filter(({ accrues }) => accrues).map(({ index }) => index));

export function compileMerge(devices: readonly MergeDevice[], settings: ConsolidationSettings): MergeDay {
  const { taken, merged: byTime, combined, groups, providerOf } = planMerge(devices, settings);
  const placeByOrdinal = new Map(devices.map(({ ordinal }, place) => [ordinal, place]));
  const ordinals = Uint16Array.from(devices, ({ ordinal }) => ordinal);
  const merged = emptyCanonicalRow();
  const { values, sources } = merged;
  /** By place in the device list: what the device said about the day. */
  const said: Float64Array[] = devices.map(() => nothing);
  const rowAt: (NormalizedRow | undefined)[] = devices.map(() => undefined);
  const besideAt: NormalizedRow[][] = devices.map(() => []);
  const missing = new Uint8Array(values.length);
  const seen = new Uint8Array(devices.length);
  const chosen = new Uint8Array(devices.length);

  const valueAt = (place: number, index: number): number => said[place]?.[index] ?? Number.NaN;
  const has = (place: number, index: number): boolean => !Number.isNaN(valueAt(place, index));

  function take(index: number, place: number): void {
    values[index] = place === none ? Number.NaN : valueAt(place, index);
    sources[index] = ordinals[place] ?? 0;
  }

  /** Device by device instead of metric by metric: what one lacks is left for the next. */
  function takeByPriority({ order, members }: KeyPlan): void {
    let left = members.length;
    missing.set(members);
    for (let at = 0; at < order.length && left > 0; at++) {
      const place = order[at] ?? 0;
      const theirs = said[place] ?? nothing;
      const ordinal = ordinals[place] ?? 0;
      let still = 0;
      for (let candidate = 0; candidate < left; candidate++) {
        const index = missing[candidate] ?? 0;
        const value = theirs[index] ?? Number.NaN;
        if (Number.isNaN(value)) {
          missing[still++] = index;
          continue;
        }
        values[index] = value;
        sources[index] = ordinal;
      }
      left = still;
    }
    for (let at = 0; at < left; at++) values[missing[at] ?? 0] = Number.NaN;
  }

  function mostBelieved(order: ArrayLike<number>, index: number): number {
    for (let at = 0; at < order.length; at++) {
      const place = order[at] ?? 0;
      if (has(place, index)) return place;
    }
    return none;
  }

  const periodValue = (order: ArrayLike<number>, index: number): PeriodValue | undefined =>
    byPeriod(
      index,
      Array.from(order, (place) => ({
        ordinal: ordinals[place] ?? 0,
        row: rowAt[place],
        beside: besideAt[place] ?? [],
      })),
    );

  /** The most believed device's value stands there already; it stays when that one states it, or nobody else measured. */
  function mergeByPeriod({ order, members }: KeyPlan, parts: Map<number, Parts> | undefined): void {
    const index = members[0] ?? 0;
    if (Number.isNaN(values[index] ?? Number.NaN)) return;
    const found = periodValue(order, index);
    if (found === undefined) return;
    values[index] = found.value;
    sources[index] = found.leader;
    parts?.set(index, { shares: found.shares, as: 'sum' });
  }

  /** Marks one device a provider: the most believed that has the metric. */
  function choosePerProvider(order: Uint16Array, index: number): void {
    seen.fill(0);
    chosen.fill(0);
    for (let at = 0; at < order.length; at++) {
      const place = order[at] ?? 0;
      const provider = providerOf[place] ?? 0;
      if (seen[provider] === 1 || !has(place, index)) continue;
      seen[provider] = 1;
      chosen[place] = 1;
    }
  }

  function largest(order: Uint16Array, index: number): number {
    let best = none;
    for (let at = 0; at < order.length; at++) {
      const place = order[at] ?? 0;
      if (chosen[place] !== 1 || !has(place, index)) continue;
      if (best === none || valueAt(place, index) > valueAt(best, index)) best = place;
    }
    return best;
  }

  /** One value a provider, the most believed provider first: merged by period where values accrue, else its most believed device's. */
  function reduced(order: Uint16Array, index: number): PeriodValue[] {
    choosePerProvider(order, index);
    return Array.from(order)
      .filter((place) => chosen[place] === 1)
      .map((place) => {
        const own = order.filter((other) => providerOf[other] === providerOf[place]);
        const alone = { value: valueAt(place, index), ordinal: ordinals[place] ?? 0 };
        const together = accruing.has(index) ? periodValue(own, index) : undefined;
        return together ?? { value: alone.value, top: alone.ordinal, leader: alone.ordinal, shares: [alone] };
      });
  }

  function combineMetric({ method, order, members }: CombinedPlan, parts: Map<number, Parts> | undefined): void {
    const index = members[0] ?? 0;
    const providers = reduced(order, index);
    const [first] = providers;
    if (first === undefined) {
      values[index] = Number.NaN;
      return;
    }
    const amounts = providers.map(({ value }) => value);
    switch (method) {
      case 'avg': {
        const given = believedFirst(order, providers.flatMap(averagedOf));
        values[index] = meanOf(amounts);
        // Of what accrues the largest share is most of the mean; of anything else a larger reading
        // is not more of it.
        sources[index] = (accruing.has(index) ? largestShare(given)?.ordinal : undefined) ?? first.top;
        parts?.set(index, { shares: given, as: 'mean' });
        return;
      }
      case 'max': {
        const most = providers.reduce((best, each) => (each.value > best.value ? each : best));
        values[index] = most.value;
        sources[index] = most.leader;
        parts?.set(index, { shares: most.shares, as: 'sum' });
        return;
      }
      case 'sum': {
        const given = believedFirst(
          order,
          providers.flatMap((each) => each.shares),
        );
        values[index] = sumOf(amounts);
        sources[index] = largestShare(given)?.ordinal ?? first.leader;
        parts?.set(index, { shares: given, as: 'sum' });
        return;
      }
    }
  }

  const rankOf = (order: Uint16Array, { ordinal }: Share): number => order.indexOf(placeByOrdinal.get(ordinal) ?? none);
  const believedFirst = (order: Uint16Array, shares: readonly Share[]): Share[] =>
    shares.toSorted((a, b) => rankOf(order, a) - rankOf(order, b));

  function hasAny(place: number, members: Uint8Array): boolean {
    for (let at = 0; at < members.length; at++) if (has(place, members[at] ?? 0)) return true;
    return false;
  }

  /** Marks one device a provider: the most believed with the lead, else the most believed with any member. */
  function chooseGroupPerProvider({ order, members }: GroupPlan): void {
    choosePerProvider(order, members[0] ?? 0);
    for (let at = 0; at < order.length; at++) {
      const place = order[at] ?? 0;
      const provider = providerOf[place] ?? 0;
      if (seen[provider] === 1 || !hasAny(place, members)) continue;
      seen[provider] = 1;
      chosen[place] = 1;
    }
  }

  function groupSource(key: GroupPlan): number {
    const { method, order, members } = key;
    const lead = members[0] ?? 0;
    if (method === 'max') chooseGroupPerProvider(key);
    const withLead = method === 'max' ? largest(order, lead) : mostBelieved(order, lead);
    return withLead === none ? (order.find((place) => hasAny(place, members)) ?? none) : withLead;
  }

  function mergeGroup(key: GroupPlan, parts: Map<number, Parts> | undefined): void {
    const { method, order, members } = key;
    switch (method) {
      case 'priority':
      case 'max': {
        const source = groupSource(key);
        for (let at = 0; at < members.length; at++) take(members[at] ?? 0, source);
        return;
      }
      case 'avg':
        chooseGroupPerProvider(key);
        for (const index of members) {
          const having = Array.from(order).filter((place) => chosen[place] === 1 && has(place, index));
          take(index, having[0] ?? none);
          const shares = having.map((place) => ({ ordinal: ordinals[place] ?? 0, value: valueAt(place, index) }));
          if (shares.length > 0) values[index] = meanOf(shares.map(({ value }) => value));
          parts?.set(index, { shares, as: 'mean' });
        }
    }
  }

  function lay(rows: readonly NormalizedRow[], beside: readonly NormalizedRow[]): boolean {
    said.fill(nothing);
    rowAt.fill(undefined);
    for (const list of besideAt) list.length = 0;
    let timed = beside.length > 0;
    for (const row of rows) {
      const place = placeByOrdinal.get(row.device);
      if (place === undefined) continue;
      said[place] = row.values;
      rowAt[place] = row;
      if ((row.timelines?.size ?? 0) > 0) timed = true;
    }
    for (const row of beside) besideAt[placeByOrdinal.get(row.device) ?? none]?.push(row);
    return timed;
  }

  return (rows, beside = [], parts = undefined) => {
    const timed = lay(rows, beside);
    for (const key of taken) takeByPriority(key);
    if (timed) for (const key of byTime) mergeByPeriod(key, parts);
    for (const key of combined) combineMetric(key, parts);
    for (const key of groups) mergeGroup(key, parts);
    return merged;
  };
}

/** Who made a provider's value; where it is zero somebody said so, and the mean is lower for it. */
function averagedOf({ shares, top }: PeriodValue): Share[] {
  const given = shares.filter(({ value }) => value > 0);
  return given.length > 0 ? given : [{ ordinal: top, value: 0 }];
}

function differsAt(a: CanonicalRow, b: CanonicalRow, index: number): boolean {
  const value = a.values[index] ?? Number.NaN;
  const other = b.values[index] ?? Number.NaN;
  if (Number.isNaN(value)) return !Number.isNaN(other);
  return value !== other || a.sources[index] !== b.sources[index];
}

export function differs(merged: CanonicalRow, stored: CanonicalRow): boolean {
  for (let index = 0; index < nothing.length; index++) if (differsAt(merged, stored, index)) return true;
  return false;
}

export function changedMetrics(merged: CanonicalRow, stored: CanonicalRow): MetricId[] {
  return metricTable.filter(({ index }) => differsAt(merged, stored, index)).map(({ id }) => id);
}
