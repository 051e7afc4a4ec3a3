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
import { OriginalRow, sameOriginal } from '../../store/codec/original-row.ts';
import { divideRounded } from '../fixed-point.ts';
import { believedOrders, type KeyPlan, type MergeDevice, planMerge } from './merge-plan.ts';

/** Rows of devices that are not in the list are left out. The row it returns is the same every time and holds until the next day is merged. */
export type MergeDay = (rows: readonly DeviceRow[]) => CanonicalRow;

const none = -1;
const nothing = emptyCanonicalRow().values;
const powers = new Float64Array(nothing.length).fill(1);
for (const { index, scale } of metricTable) powers[index] = 10 ** scale;

export function compileMerge(devices: readonly MergeDevice[], settings: ConsolidationSettings): MergeDay {
  const { taken, combined, groups, providerOf } = planMerge(devices, settings);
  const placeByOrdinal = new Map(devices.map(({ ordinal }, place) => [ordinal, place]));
  const ordinals = Uint16Array.from(devices, ({ ordinal }) => ordinal);
  const originals = new OriginalRow();
  const merged: CanonicalRow = { ...emptyCanonicalRow(), originals };
  const { values, sources } = merged;
  /** By metric index: the place of the device the value was taken from as it is; none for metrics that are summed or averaged. */
  const takenFrom = new Int32Array(values.length).fill(none);
  /** By place in the device list: what the device said about the day. */
  const said: Float64Array[] = devices.map(() => nothing);
  const missing = new Uint8Array(values.length);
  const seen = new Uint8Array(devices.length);
  const chosen = new Uint8Array(devices.length);

  const valueAt = (place: number, index: number): number => said[place]?.[index] ?? Number.NaN;
  const has = (place: number, index: number): boolean => !Number.isNaN(valueAt(place, index));

  function take(index: number, place: number): void {
    values[index] = place === none ? Number.NaN : valueAt(place, index);
    sources[index] = ordinals[place] ?? 0;
    takenFrom[index] = place;
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
        takenFrom[index] = place;
      }
      left = still;
    }
    for (let at = 0; at < left; at++) values[missing[at] ?? 0] = Number.NaN;
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
    values[index] = count === 0 ? Number.NaN : (asMean ? divideRounded(steps, count) : steps) / power;
  }

  function mergeMetric({ method, order, members }: KeyPlan): void {
    const index = members[0] ?? 0;
    choosePerProvider(order, index);
    if (method === 'max') take(index, largest(order, index));
    else combine(order, index, method === 'avg');
  }

  function hasAny(place: number, members: Uint8Array): boolean {
    for (let at = 0; at < members.length; at++) if (has(place, members[at] ?? 0)) return true;
    return false;
  }

  /** Marks one device a provider: the most believed with the lead, else the most believed with any member. */
  function chooseGroupPerProvider({ order, members }: KeyPlan): void {
    choosePerProvider(order, members[0] ?? 0);
    for (let at = 0; at < order.length; at++) {
      const place = order[at] ?? 0;
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
      for (let at = 0; at < members.length; at++) combine(order, members[at] ?? 0, method === 'avg');
      return;
    }
    const source = groupSource(key);
    for (let at = 0; at < members.length; at++) take(members[at] ?? 0, source);
  }

  function keepOriginals(row: DeviceRow, place: number): void {
    const theirs = row.originals;
    if (theirs === undefined || theirs.size === 0) return;
    if (theirs instanceof OriginalRow) {
      for (let at = 0; at < theirs.size; at++) {
        const index = theirs.indexes[at] ?? 0;
        if (takenFrom[index] === place) originals.set(index, theirs.values[index] ?? 0, theirs.units[index] ?? '');
      }
    } else {
      for (const [index, { value, unit }] of theirs) if (takenFrom[index] === place) originals.set(index, value, unit);
    }
  }

  return (rows) => {
    said.fill(nothing);
    originals.clear();
    for (const row of rows) {
      const place = placeByOrdinal.get(row.device);
      if (place !== undefined) said[place] = row.values;
    }
    for (const key of taken) takeByPriority(key);
    for (const key of combined) mergeMetric(key);
    for (const key of groups) mergeGroup(key);
    for (const row of rows) keepOriginals(row, placeByOrdinal.get(row.device) ?? none);
    return merged;
  };
}

/** Whether the value or its source differs; the source of an absent value says nothing. */
function differsAt(a: CanonicalRow, b: CanonicalRow, index: number): boolean {
  const value = a.values[index] ?? Number.NaN;
  const other = b.values[index] ?? Number.NaN;
  if (Number.isNaN(value)) return !Number.isNaN(other);
  return value !== other || a.sources[index] !== b.sources[index];
}

function originalDiffersAt(a: CanonicalRow, b: CanonicalRow, index: number): boolean {
  if (Number.isNaN(a.values[index] ?? Number.NaN)) return false;
  return !sameOriginal(a.originals, b.originals, index);
}

const anyOriginals = (a: CanonicalRow, b: CanonicalRow): boolean =>
  (a.originals?.size ?? 0) > 0 || (b.originals?.size ?? 0) > 0;

export function differs(merged: CanonicalRow, stored: CanonicalRow): boolean {
  for (let index = 0; index < nothing.length; index++) if (differsAt(merged, stored, index)) return true;
  if (!anyOriginals(merged, stored)) return false;
  for (let index = 0; index < nothing.length; index++) if (originalDiffersAt(merged, stored, index)) return true;
  return false;
}

export function changedMetrics(merged: CanonicalRow, stored: CanonicalRow): MetricId[] {
  return metricTable
    .filter(({ index }) => differsAt(merged, stored, index) || originalDiffersAt(merged, stored, index))
    .map(({ id }) => id);
}

/** Equal exactly when every metric believes the same devices in the same order. */
export function priorityFingerprint(devices: readonly MergeDevice[]): string {
  return [...believedOrders(devices).values()]
    .map((order) => order.map((place) => devices[place]?.ordinal).join(','))
    .join(';');
}
