// What sources tell of nights as a whole: it is kept with the night, and counts on the night's day.
import { isMetricId, type MetricId, metricRow } from '../../model/metrics.ts';
import type { Told, ToldOfNight } from '../../model/records.ts';
import type { SleepRow, ToldRow } from '../../store/sessions.ts';

/** Metrics that an earlier version of a night may have told, and this one says there is nothing of. */
export interface Untold {
  untold?: readonly string[] | undefined;
}

export function toldRow(told: ToldOfNight): { told: ToldRow } & Untold {
  const row: ToldRow = {};
  const untold: string[] = [];
  for (const [metric, each] of Object.entries(told).sort(byName)) {
    if (each === null) untold.push(metric);
    else row[metric] = each.original ? [each.value, each.original.value, each.original.unit] : each.value;
  }
  return { told: row, untold };
}

/** The version to keep: what it does not speak of, it leaves as the one before told it. */
export function asTold<Row extends Untold & { told?: ToldRow | undefined }>(
  version: Row,
  before: Row | undefined,
): Row {
  const { told, untold = [], ...rest } = version;
  const all = Object.entries({ ...before?.told, ...told }).filter(([metric]) => !untold.includes(metric));
  const kept = all.length === 0 ? {} : { told: Object.fromEntries(all.sort(byName)) };
  return { ...rest, ...kept } as Row;
}

/**
 * By metric, from the longest of these nights that tells it, of equally long ones the earliest; but
 * what adds up is the sum of what they tell, and a lowest or highest value the lowest or highest.
 */
export function toldOn(nights: readonly SleepRow[]): Map<MetricId, Told> {
  const lengthOf = ({ startMs, endMs }: SleepRow): number => endMs - startMs;
  const told = new Map<MetricId, Told[]>();
  for (const night of nights.toSorted((a, b) => lengthOf(b) - lengthOf(a) || a.startMs - b.startMs))
    for (const [metric, each] of Object.entries(night.told ?? {}))
      if (isMetricId(metric)) told.set(metric, [...(told.get(metric) ?? []), read(each)]);
  return new Map(Array.from(told, ([metric, each]) => [metric, ofAll(metric, each)]));
}

function ofAll(metric: MetricId, [longest, ...others]: readonly Told[]): Told {
  if (!longest) throw new RangeError(`no night tells ${metric}`);
  const { aggregation, accrues } = metricRow(metric);
  return others.reduce((all, each) => {
    if (accrues) return { value: all.value + each.value };
    if (aggregation === 'max') return each.value > all.value ? each : all;
    if (aggregation === 'min') return each.value < all.value ? each : all;
    return all;
  }, longest);
}

function read(each: ToldRow[string]): Told {
  if (typeof each === 'number') return { value: each };
  const [value, original, unit] = each;
  return { value, original: { value: original, unit } };
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);
