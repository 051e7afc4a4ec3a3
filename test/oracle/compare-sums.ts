// What two reads of the same data must agree on regardless of the model: the steps of a day add up
// to its total.
import { formatExpected, type Mismatch } from './compare.ts';
import type { DailyBody } from './compare-daily.ts';
import type { ColumnBody } from './compare-series.ts';
import { dayValue } from './day-value.ts';
import { reportedTotal } from './device-value.ts';
import { expectedColumn } from './expected-series.ts';
import { metricOf } from './metric-table.ts';
import { enabledDevices, methodFor } from './model-user.ts';
import { absolute, add, compare, fromNumber, multiply, ratio, subtract, sum, zero } from './rational.ts';
import { isMerged } from './rules.ts';
import type { ColumnRead } from './scenario.ts';
import { convertSpan } from './units.ts';
import type { View } from './view.ts';

/** Whether a day's value consists of exactly what its timeseries shows. */
export function isSumOfSteps({ calendar, user }: View, metric: string, date: string): boolean {
  if (calendar.dayRule !== 'profile' || !isMerged(metric) || methodFor(user, metric) !== 'merge') return false;
  return enabledDevices(user, metric).every((device) => !reportedTotal(device, metric, date));
}

export function sumMismatches(view: View, read: ColumnRead, column: ColumnBody, daily: DailyBody): Mismatch[] {
  const { metric, date } = read;
  if (!isSumOfSteps(view, metric, date)) return [];
  const day = daily.series[metric]?.[daily.dates.indexOf(date)];
  const values = column.values.filter((value) => value !== null);
  const { unit, precision } = metricOf(metric);
  const coarse = sum([
    dayValue(view, metric, date)?.tolerance ?? zero,
    ...expectedColumn(view, read).steps.map(({ tolerance }) => tolerance),
  ]);
  // Each number was rounded on output.
  const rounding = multiply(ratio(1, 2n * 10n ** BigInt(precision)), ratio(values.length + 1));
  const allowed = add(convertSpan(coarse, unit, column.unit), rounding);
  const steps = sum(values.map(fromNumber));
  if (typeof day === 'number' && compare(absolute(subtract(fromNumber(day), steps)), allowed) <= 0) return [];
  if (day === null && values.length === 0) return [];
  return [
    {
      where: `${metric} on ${date}, the day and its steps`,
      got: day,
      expected: formatExpected(steps, allowed, precision),
    },
  ];
}
