// What holds for every explanation, whatever was measured and whichever rule applies.
import { expect } from 'vitest';
import { type MetricId, metricRow } from '../../../shared/catalog/metrics.ts';
import type { ValueExplanation } from '../../../shared/consolidation/explain-value.ts';
import type { LeftOutReason } from '../../../shared/consolidation/merge-recorder.ts';

/** Shares by time have endless digits, so sums are compared to nine of them. */
const isClose = (a: number, b: number, scale: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, scale);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export function checkExplanation(
  metric: MetricId,
  { value, source, rule, devices, periods, leftOut }: ValueExplanation,
): void {
  const counted = devices.filter((device) => device.counted !== null);
  const total = sum(counted.map((device) => device.counted ?? 0));
  if (value === null) expect([counted, source]).toEqual([[], null]);
  else {
    expect(isClose(total / (rule.averagedOver ?? 1), value, total), `${total} is ${value}`).toBe(true);
    expect(counted.map(({ ordinal }) => ordinal)).toContain(source);
  }
  expect(devices.map(({ rank }) => rank)).toEqual(devices.map((_, at) => at + 1));
  for (const { ordinal, enabled, reported, ownValue, counted: own } of devices) {
    const reasons = leftOut.filter((each) => each.ordinal === ordinal && each.reason !== 'counted_on_another_day');
    expect(reported === null).toBe(ownValue === null);
    if (ownValue === null) {
      expect([own, reasons]).toEqual([null, []]);
      continue;
    }
    if (!enabled) expect([own, reasons.map(({ reason }) => reason)]).toEqual([null, ['disabled']]);
    const accounted = (own ?? 0) + sum(reasons.map((each) => each.value));
    expect(isClose(accounted, ownValue, ownValue), `device ${ordinal}: ${accounted} is ${ownValue}`).toBe(true);
    const measured = periods.filter((period) => period.ordinal === ordinal);
    if (measured.length === 0) continue;
    expect(
      isClose(sum(measured.map((each) => each.counted)), own ?? 0, ownValue),
      `the periods of device ${ordinal}`,
    ).toBe(true);
    const uncounted = measured.filter((each) => each.counted < each.value);
    for (const { reason, periods: count } of reasons)
      if (reason === 'measured_by_a_higher_rank') expect(uncounted.length).toBeLessThanOrEqual(count);
  }
  for (const { counted: part, value: whole } of periods) expect(part >= 0 && part <= whole).toBe(true);
  if (metricRow(metric).group) expect(periods).toEqual([]);
}

/** Where a reason may occur: anything else is a wrong reason. */
const methodsByReason: Record<LeftOutReason, readonly string[]> = {
  disabled: ['merge', 'priority', 'max', 'avg', 'sum'],
  lower_rank: ['priority', 'max'],
  measured_by_a_higher_rank: ['merge', 'avg', 'sum', 'max'],
  total_of_a_higher_rank: ['merge', 'avg', 'sum', 'max'],
  total_where_samples_exist: ['merge', 'avg', 'sum', 'max'],
  group_of_another_device: ['priority', 'max'],
  another_device_of_the_provider: ['max', 'avg', 'sum'],
  smaller_value: ['max'],
  counted_on_another_day: ['merge', 'priority', 'max', 'avg', 'sum'],
};

export function checkReasons({ rule, leftOut }: ValueExplanation): void {
  for (const { reason } of leftOut) expect(methodsByReason[reason], reason).toContain(rule.method);
}
