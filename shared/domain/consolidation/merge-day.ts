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
const metricSlots = emptyCanonicalRow().values.length;
const powers = new Float64Array(metricSlots).fill(1);
for (const { index, scale } of metricTable) powers[index] = 10 ** scale;

export function compileMerge(devices: readonly MergeDevice[], settings: ConsolidationSettings): MergeDay {
  const { metrics, groups, providerOf } = planMerge(devices, settings);
  const placeByOrdinal = new Map(devices.map(({ ordinal }, place) => [ordinal, place]));
  const ordinals = Uint16Array.from(devices, ({ ordinal }) => ordinal);
  const merged = emptyCanonicalRow();
  const { values, sources } = merged;
  const originals = new OriginalRow();
  merged.originals = originals;

  /** Every device's values one after the other, by place in the device list. */
  const said = new Float64Array(devices.length * metricSlots).fill(Number.NaN);
  const originalsOf: DeviceRow['originals'][] = devices.map(() => undefined);
  const seen = new Uint8Array(devices.length);
  const chosen = new Uint8Array(devices.length);

  const valueOf = (place: number, index: number): number => said[place * metricSlots + index] ?? Number.NaN;
  const has = (place: number, index: number): boolean => !Number.isNaN(valueOf(place, index));

  function load(rows: readonly DeviceRow[]): void {
    said.fill(Number.NaN);
    originalsOf.fill(undefined);
    originals.clear();
    for (const row of rows) {
      const place = placeByOrdinal.get(row.device);
      if (place === undefined) continue;
      said.set(row.values, place * metricSlots);
      if (row.originals !== undefined && row.originals.size > 0) originalsOf[place] = row.originals;
    }
  }

  function take(index: number, place: number): void {
    if (place === none) {
      values[index] = Number.NaN;
      return;
    }
    values[index] = valueOf(place, index);
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
      if (best === none || valueOf(place, index) > valueOf(best, index)) best = place;
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
      steps += Math.round(valueOf(place, index) * power);
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

  function firstWithAny({ order, members }: KeyPlan): number {
    for (const place of order) if (members.some((index) => has(place, index))) return place;
    return none;
  }

  function mergeGroup(key: KeyPlan): void {
    const { method, order, members } = key;
    const lead = members[0] ?? 0;
    if (method === 'priority' || method === 'max') {
      let source: number;
      if (method === 'priority') source = mostBelieved(order, lead);
      else {
        seen.fill(0);
        chosen.fill(0);
        choosePerProvider(order, lead);
        source = largest(order, lead);
      }
      if (source === none) source = firstWithAny(key);
      for (let at = 0; at < members.length; at++) {
        const index = members[at] ?? 0;
        take(index, source === none || has(source, index) ? source : none);
      }
      return;
    }
    seen.fill(0);
    chosen.fill(0);
    for (const index of members) choosePerProvider(order, index);
    for (const index of members) combine(order, index, method === 'avg');
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
