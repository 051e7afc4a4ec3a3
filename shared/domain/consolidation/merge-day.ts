// The heart of consolidation: what several devices said about a day becomes one value a metric, and the device it came from.
// A provider's devices are first reduced to one, the most believed that has the value; then the method runs over the enabled providers:
//   priority  the most believed device's value            max  the largest value, of equal ones the most believed
//   avg, sum  in exact decimals, with the most believed contributor as the source
// A group's members describe one night or one cuff reading together, so they come from one device:
//   priority  the most believed device with the lead member (time asleep, systolic pressure) supplies all, because a device that knows
//             only the time in bed has not measured the night; without any lead, the most believed with any member
//   max       the device with the largest lead supplies all, because members of different nights do not belong together
//   avg       each member is averaged by itself, because a mean is nobody's night anyway; one device per provider, chosen as above
// What the chosen device lacks stays absent: it is never filled from another.
import type { ConsolidationSettings } from '../../model/consolidation.ts';
import { metricTable } from '../../model/metric-table.ts';
import type { MetricId } from '../../model/metrics.ts';
import { type CanonicalRow, emptyCanonicalRow } from '../../store/codec/canonical-day.ts';
import type { DeviceRow } from '../../store/codec/normalized-day.ts';
import { OriginalRow } from '../../store/codec/original-row.ts';
import { divideRounded } from '../fixed-point.ts';
import { believedOrders, type KeyPlan, type MergeDevice, planMerge } from './merge-plan.ts';

/** Rows of devices that are not in the list are left out. The row it returns is the same every time and holds until the next day is merged. */
export type MergeDay = (rows: readonly DeviceRow[]) => CanonicalRow;

const none = -1;
const nothing = emptyCanonicalRow().values;
const powers = new Float64Array(nothing.length).fill(1);
for (const { index, scale } of metricTable) powers[index] = 10 ** scale;

export function compileMerge(devices: readonly MergeDevice[], settings: ConsolidationSettings): MergeDay {
  const { metrics, groups, providerOf } = planMerge(devices, settings);
  const placeByOrdinal = new Map(devices.map(({ ordinal }, place) => [ordinal, place]));
  const ordinals = Uint16Array.from(devices, ({ ordinal }) => ordinal);
  const merged = emptyCanonicalRow();
  const { values, sources } = merged;
  const originals = new OriginalRow();
  merged.originals = originals;

  /** By place in the device list: what the device said about the day. */
  const said: Float64Array[] = devices.map(() => nothing);
  const originalsOf: DeviceRow['originals'][] = devices.map(() => undefined);
  const seen = new Uint8Array(devices.length);
  const chosen = new Uint8Array(devices.length);

  const valueAt = (place: number, index: number): number => said[place]?.[index] ?? Number.NaN;
  const has = (place: number, index: number): boolean => !Number.isNaN(valueAt(place, index));

  function load(rows: readonly DeviceRow[]): void {
    said.fill(nothing);
    originalsOf.fill(undefined);
    originals.clear();
    for (const row of rows) {
      const place = placeByOrdinal.get(row.device);
      if (place === undefined) continue;
      said[place] = row.values;
      if (row.originals !== undefined && row.originals.size > 0) originalsOf[place] = row.originals;
    }
  }

  function take(index: number, place: number): void {
    if (place === none) {
      values[index] = Number.NaN;
      return;
    }
    values[index] = valueAt(place, index);
    sources[index] = ordinals[place] ?? 0;
    const kept = originalsOf[place];
    if (kept === undefined) return;
    if (kept instanceof OriginalRow) {
      if (kept.has(index)) originals.set(index, kept.values[index] ?? 0, kept.units[index] ?? '');
    } else {
      const original = kept.get(index);
      if (original !== undefined) originals.set(index, original.value, original.unit);
    }
  }

  function mostBelieved(order: Uint16Array, index: number): number {
    for (let at = 0; at < order.length; at++) {
      const place = order[at] ?? 0;
      if (has(place, index)) return place;
    }
    return none;
  }

  /** Marks one device a provider: the most believed that has the metric. */
  function choosePerProvider(order: Uint16Array, index: number): void {
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

  function combine(order: Uint16Array, index: number, asMean: boolean): void {
    const power = powers[index] ?? 1;
    let steps = 0;
    let count = 0;
    for (let at = 0; at < order.length; at++) {
      const place = order[at] ?? 0;
      if (chosen[place] !== 1 || !has(place, index)) continue;
      if (count === 0) sources[index] = ordinals[place] ?? 0;
      steps += Math.round(valueAt(place, index) * power);
      count++;
    }
    if (count === 0) values[index] = Number.NaN;
    else values[index] = (asMean ? divideRounded(steps, count) : steps) / power;
  }

  function mergeMetric({ method, order, members }: KeyPlan): void {
    const index = members[0] ?? 0;
    if (method === 'priority') {
      take(index, mostBelieved(order, index));
      return;
    }
    seen.fill(0);
    chosen.fill(0);
    choosePerProvider(order, index);
    if (method === 'max') take(index, largest(order, index));
    else combine(order, index, method === 'avg');
  }

  const hasAny = (place: number, members: Uint8Array): boolean => members.some((index) => has(place, index));

  /** Marks one device a provider: the most believed with the lead, else the most believed with any member. */
  function chooseGroupPerProvider({ order, members }: KeyPlan): void {
    seen.fill(0);
    chosen.fill(0);
    choosePerProvider(order, members[0] ?? 0);
    for (const place of order) {
      const provider = providerOf[place] ?? 0;
      if (seen[provider] === 1 || !hasAny(place, members)) continue;
      seen[provider] = 1;
      chosen[place] = 1;
    }
  }

  function groupSource(key: KeyPlan): number {
    const { method, order, members } = key;
    const lead = members[0] ?? 0;
    if (method === 'max') chooseGroupPerProvider(key);
    const withLead = method === 'max' ? largest(order, lead) : mostBelieved(order, lead);
    return withLead === none ? (order.find((place) => hasAny(place, members)) ?? none) : withLead;
  }

  function mergeGroup(key: KeyPlan): void {
    const { method, order, members } = key;
    if (method === 'avg' || method === 'sum') {
      chooseGroupPerProvider(key);
      for (const index of members) combine(order, index, method === 'avg');
      return;
    }
    const source = groupSource(key);
    for (let at = 0; at < members.length; at++) {
      const index = members[at] ?? 0;
      take(index, source !== none && has(source, index) ? source : none);
    }
  }

  return (rows) => {
    load(rows);
    for (let at = 0; at < metrics.length; at++) {
      const key = metrics[at];
      if (key !== undefined) mergeMetric(key);
    }
    for (let at = 0; at < groups.length; at++) {
      const key = groups[at];
      if (key !== undefined) mergeGroup(key);
    }
    return merged;
  };
}

/** Whether the value, its source or its original differs; the source of an absent value says nothing. */
function differsAt(a: CanonicalRow, b: CanonicalRow, index: number, withOriginals: boolean): boolean {
  const value = a.values[index] ?? Number.NaN;
  const other = b.values[index] ?? Number.NaN;
  if (Number.isNaN(value) || Number.isNaN(other)) return !(Number.isNaN(value) && Number.isNaN(other));
  if (value !== other || a.sources[index] !== b.sources[index]) return true;
  if (!withOriginals) return false;
  const original = a.originals?.get(index);
  const otherOriginal = b.originals?.get(index);
  return original?.value !== otherOriginal?.value || original?.unit !== otherOriginal?.unit;
}

const anyOriginals = (a: CanonicalRow, b: CanonicalRow): boolean =>
  (a.originals?.size ?? 0) > 0 || (b.originals?.size ?? 0) > 0;

export function differs(merged: CanonicalRow, stored: CanonicalRow): boolean {
  const withOriginals = anyOriginals(merged, stored);
  for (let index = 0; index < nothing.length; index++) {
    if (differsAt(merged, stored, index, withOriginals)) return true;
  }
  return false;
}

export function changedMetrics(merged: CanonicalRow, stored: CanonicalRow): MetricId[] {
  const withOriginals = anyOriginals(merged, stored);
  return metricTable.filter(({ index }) => differsAt(merged, stored, index, withOriginals)).map(({ id }) => id);
}

/** Equal exactly when every metric believes the same devices in the same order. */
export function priorityFingerprint(devices: readonly MergeDevice[]): string {
  return [...believedOrders(devices).values()]
    .map((order) => order.map((place) => devices[place]?.ordinal).join(','))
    .join(';');
}
