// The consolidation rules, implemented a second time with maps and text: slow, and written from the
// rules alone.

import type { ConsolidationSettings } from '../../../shared/catalog/consolidation-catalog.ts';
import { type MetricId, metricIds, metricRow } from '../../../shared/catalog/metrics.ts';
import { consolidationKey, metricsForKey } from '../../../shared/consolidation/catalog.ts';
import type { MergeDevice } from '../../../shared/consolidation/merge-plan.ts';
import type { CanonicalValue } from '../../../shared/measurements/codec/canonical-day.ts';
import type { NormalizedDay, NormalizedValue } from '../../../shared/measurements/codec/normalized-day.ts';
import type { Piece } from '../../../shared/measurements/timeline.ts';

const preferredTypes: Record<string, string[]> = {
  sleep: ['ring', 'wrist', 'scale', 'phone', 'app'],
  vitals: ['wrist', 'ring', 'phone', 'app'],
  blood_glucose: ['cgm', 'wrist', 'ring', 'phone', 'app'],
  body_composition: ['scale', 'phone', 'app'],
  activity: ['wrist', 'ring', 'phone', 'app'],
  energy: ['wrist', 'ring', 'phone', 'app'],
  nutrition: ['app', 'phone'],
};

/**
 * Sorts as text: Mobile SDK first, then the device type, then the latest connection, then the id.
 */
function rankKey(device: MergeDevice, metric: MetricId): string {
  const types = preferredTypes[metric] ?? preferredTypes[metricRow(metric).category] ?? [];
  const position = types.includes(device.deviceType) ? types.indexOf(device.deviceType) : types.length;
  const sinceConnected = 9e15 - (device.connectedMs ?? 0);
  return [device.connection === 'sdk' ? 0 : 1, position, String(sinceConnected).padStart(17, '0'), device.id].join(' ');
}

function sortByRank(devices: readonly MergeDevice[], metric: MetricId): MergeDevice[] {
  const texts = new Map(devices.map((device) => [device, rankKey(device, metric)]));
  return [...devices].sort((a, b) => ((texts.get(a) ?? '') < (texts.get(b) ?? '') ? -1 : 1));
}

const leads: Record<string, MetricId> = { sleep: 'asleep', blood_pressure: 'blood_pressure_systolic' };

/** What devices measured when, by ordinal and metric; all pieces begin and end on five minutes. */
export type Times = ReadonlyMap<number, ReadonlyMap<MetricId, readonly Piece[]>>;
export const cellMs = 300_000;

interface DeviceDay {
  device: MergeDevice;
  values: ReadonlyMap<MetricId, NormalizedValue>;
  times: ReadonlyMap<MetricId, readonly Piece[]>;
  /** Of adjacent days. */
  beside: ReadonlyMap<MetricId, readonly Piece[]>;
}

const decimals = 12;

/**
 * Adds up integers in units of 10^-12 and divides once; the result is rounded to 14 significant
 * digits.
 */
function divideExactly(numbers: number[], divideBy: number): number {
  const total = numbers.reduce((sum, value) => sum + BigInt(value.toFixed(decimals).replace('.', '')), 0n);
  const quotient = (total * 1_000n) / BigInt(divideBy);
  const digits = quotient.toString().padStart(decimals + 4, '0');
  return Number(Number(`${digits.slice(0, -decimals - 3)}.${digits.slice(-decimals - 3)}`).toPrecision(14));
}

const toCanonicalValue = ({ device, values }: DeviceDay, metric: MetricId): CanonicalValue | undefined => {
  const said = values.get(metric);
  if (said === undefined) return undefined;
  return { value: said.value, source: device.ordinal };
};

interface CombinedValue {
  value: number;
  top: DeviceDay;
  shares: { said: DeviceDay; value: number }[];
}

const isMoment = ({ startMs, endMs }: Piece): boolean => startMs === endMs;

/**
 * Walks over a piece in steps of five minutes and leaves out those that higher-ranked devices
 * cover; a moment counts fully or not at all.
 */
function uncoveredValue(piece: Piece, better: readonly Piece[]): number {
  const isCovered = (ms: number) => better.some(({ startMs, endMs }) => startMs <= ms && ms < endMs);
  if (isMoment(piece)) {
    const isDuplicate = better.some((other) => isMoment(other) && other.startMs === piece.startMs);
    return isDuplicate || isCovered(piece.startMs) ? 0 : piece.value;
  }
  const cells: number[] = [];
  for (let ms = piece.startMs; ms < piece.endMs; ms += cellMs) cells.push(ms);
  return (piece.value / cells.length) * cells.filter((ms) => !isCovered(ms)).length;
}

/**
 * Each time belongs to the first device in line that measured then; a total that the first in line
 * states is the value of the day.
 */
function combineShares(ranked: DeviceDay[], metric: MetricId): CombinedValue | undefined {
  const top = ranked.find(({ values }) => values.has(metric));
  const first = top?.values.get(metric);
  if (top === undefined || first === undefined) return undefined;
  if (first.stated || !top.times.has(metric))
    return { value: first.value, top, shares: [{ said: top, value: first.value }] };
  const shares = ranked.flatMap((said, position) => {
    const own = said.times.get(metric);
    const ahead = ranked.slice(0, position).flatMap(({ times, beside }) => [times.get(metric), beside.get(metric)]);
    const better = ahead.flatMap((pieces) => pieces ?? []);
    return own ? [{ said, value: own.reduce((sum, piece) => sum + uncoveredValue(piece, better), 0) }] : [];
  });
  return { value: shares.reduce((sum, { value }) => sum + value, 0), top, shares };
}

/** Of equal shares, the first one wins. */
function findLargestShare(shares: CombinedValue['shares']): DeviceDay | undefined {
  const highest = Math.max(...shares.map(({ value }) => value));
  return shares.find(({ value }) => value === highest)?.said;
}

/** Merges a metric that accrues over time. */
function mergeAccrued(ranked: DeviceDay[], metric: MetricId, method: string): CanonicalValue | undefined {
  if (method === 'priority') {
    const first = ranked.find(({ values }) => values.has(metric));
    return first && toCanonicalValue(first, metric);
  }
  const groups = method === 'merge' ? [ranked] : [...Map.groupBy(ranked, ({ device }) => device.provider).values()];
  const found = groups.flatMap((theirs) => combineShares(theirs, metric) ?? []);
  found.sort((a, b) => ranked.indexOf(a.top) - ranked.indexOf(b.top));
  const [first] = found;
  if (first === undefined) return undefined;
  const values = found.map(({ value }) => value);
  const winner = found.find(({ value }) => value === Math.max(...values)) ?? first;
  const counted = method === 'sum' || method === 'avg' ? found : [winner];
  const allShares = counted.flatMap(({ shares }) => shares);
  const highest = findLargestShare(allShares.toSorted((a, b) => ranked.indexOf(a.said) - ranked.indexOf(b.said)));
  const divideBy = method === 'avg' ? values.length : 1;
  const value = counted === found ? divideExactly(values, divideBy) : winner.value;
  return { value, source: highest?.device.ordinal ?? first.top.device.ordinal };
}

function combineValues(said: DeviceDay[], metric: MetricId, method: 'avg' | 'sum'): CanonicalValue | undefined {
  const reporting = said.filter(({ values }) => values.has(metric));
  const [first] = reporting;
  if (first === undefined) return undefined;
  const numbers = reporting.map(({ values }) => values.get(metric)?.value ?? 0);
  const highest = reporting.find(({ values }) => values.get(metric)?.value === Math.max(...numbers)) ?? first;
  return {
    value: divideExactly(numbers, method === 'avg' ? numbers.length : 1),
    source: method === 'avg' ? first.device.ordinal : highest.device.ordinal,
  };
}

/**
 * Picks one device of each provider: the first in line that `isPreferred`, otherwise the first that
 * `isAcceptable`.
 */
function onePerProvider(
  ranked: DeviceDay[],
  isPreferred: (said: DeviceDay) => boolean,
  isAcceptable: (said: DeviceDay) => boolean,
): DeviceDay[] {
  const byProvider = Map.groupBy(ranked, ({ device }) => device.provider);
  const chosen = [...byProvider.values()].map((theirs) => theirs.find(isPreferred) ?? theirs.find(isAcceptable));
  return ranked.filter((said) => chosen.includes(said));
}

function largest(ranked: DeviceDay[], metric: MetricId): DeviceDay | undefined {
  const top = Math.max(...ranked.map(({ values }) => values.get(metric)?.value ?? Number.NEGATIVE_INFINITY));
  return ranked.find(({ values }) => values.get(metric)?.value === top);
}

const stages: readonly MetricId[] = ['deep_sleep', 'rem_sleep'];

/** One metric of a night, for every device or for those of one provider. */
function nightValue(
  ranked: DeviceDay[],
  metric: MetricId,
  method: 'priority' | 'max' | 'avg',
): (CanonicalValue & { parts: { said: DeviceDay; value: number }[] }) | undefined {
  const isAsleep = (said: DeviceDay) => said.values.has('asleep');
  const lines = method === 'priority' ? [ranked] : [...Map.groupBy(ranked, ({ device }) => device.provider).values()];
  const answers = (of: MetricId): DeviceDay[] =>
    ranked.filter((said) =>
      lines.some((line) => {
        const night = line.find(isAsleep);
        return said === [...(night ? [night] : []), ...line].find(({ values }) => values.has(of));
      }),
    );
  const numberOf = (said: DeviceDay, of: MetricId): number => said.values.get(of)?.value ?? Number.NaN;
  const winnersOf = (of: MetricId): DeviceDay[] => {
    const all = answers(of);
    const top = Math.max(...all.map((said) => numberOf(said, of)));
    return method === 'max' ? all.filter((said) => numberOf(said, of) === top).slice(0, 1) : all;
  };
  const sleepers = winnersOf('asleep');
  const counted =
    metric === 'longest_sleep' && sleepers.length > 0
      ? sleepers.filter(({ values }) => values.has(metric))
      : winnersOf(metric);
  const [first] = counted;
  if (first === undefined) return undefined;
  const parts = counted.map((said) => ({ said, value: numberOf(said, metric) / counted.length }));
  const numbers = counted.map((said) => numberOf(said, metric));
  const value = method === 'avg' ? divideExactly(numbers, numbers.length) : (numbers[0] ?? 0);
  return { value, source: first.device.ordinal, parts };
}

function mergeNight(
  ranked: DeviceDay[],
  metric: MetricId,
  method: 'priority' | 'max' | 'avg',
): CanonicalValue | undefined {
  const [deep, rem] = stages.map((stage) => nightValue(ranked, stage, method));
  if (metric === 'restorative_sleep' && deep && rem) {
    const parts = [...deep.parts, ...rem.parts];
    const shares = ranked.flatMap((said) => {
      const own = parts.filter((part) => part.said === said);
      return own.length === 0 ? [] : [{ said, value: own.reduce((sum, { value }) => sum + value, 0) }];
    });
    return { value: divideExactly([deep.value, rem.value], 1), source: findLargestShare(shares)?.device.ordinal ?? 0 };
  }
  const found = nightValue(ranked, metric, method);
  return found && { value: found.value, source: found.source };
}

export function mergeNaively(
  devices: readonly MergeDevice[],
  settings: ConsolidationSettings,
  day: NormalizedDay,
  times: Times = new Map(),
  beside: Times = new Map(),
): Map<MetricId, CanonicalValue> {
  const merged = new Map<MetricId, CanonicalValue>();
  for (const metric of metricIds) {
    const key = consolidationKey(metric);
    const { accrues } = metricRow(metric);
    const method = settings.methods[key] ?? (accrues ? 'merge' : 'priority');
    const members = metricsForKey(key);
    const lead = leads[key] ?? metric;
    const ranked: DeviceDay[] = sortByRank(devices, lead)
      .filter(({ provider }) => !settings.disabled.includes(provider) && !settings.disabledFor[key]?.includes(provider))
      .map((device) => ({
        device,
        values: day.get(device.ordinal) ?? new Map(),
        times: times.get(device.ordinal) ?? new Map(),
        beside: beside.get(device.ordinal) ?? new Map(),
      }));
    const withLead = (said: DeviceDay) => said.values.has(lead);
    const withAny = (said: DeviceDay) => members.some((member) => said.values.has(member));
    const candidates = onePerProvider(ranked, withLead, withAny);
    let value: CanonicalValue | undefined;
    if (accrues) value = mergeAccrued(ranked, metric, method);
    else if (key === 'sleep' && (method === 'priority' || method === 'max' || method === 'avg'))
      value = mergeNight(ranked, metric, method);
    else if (method === 'avg' || method === 'sum') value = combineValues(candidates, metric, method);
    else {
      const leading = candidates.filter(withLead);
      const source = (method === 'max' ? largest(leading, lead) : leading[0]) ?? candidates[0];
      value = source && toCanonicalValue(source, metric);
    }
    if (value !== undefined) merged.set(metric, value);
  }
  return merged;
}
