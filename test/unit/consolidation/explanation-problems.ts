// What holds for every explanation, whatever was measured and whichever rule applies.
import { type MetricId, metricRow } from '../../../shared/catalog/metrics.ts';
import type { ExplainedDevice, ValueExplanation } from '../../../shared/consolidation/explain-value.ts';
import type { LeftOutReason } from '../../../shared/consolidation/merge-recorder.ts';

/** Shares by time have endless digits, so sums are compared to nine of them. */
const isClose = (a: number, b: number, scale: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, scale);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Returns what is wrong with an explanation, as text; empty if nothing is. */
export function explanationProblems(metric: MetricId, explained: ValueExplanation): string[] {
  const { value, source, rule, devices, periods, leftOut } = explained;
  const counted = devices.flatMap((device) => (device.counted === null ? [] : [device.counted]));
  const total = sum(counted);
  const problems: string[] = [];
  const check = (holds: boolean, problem: string): void => void (holds || problems.push(problem));
  if (value === null) check(counted.length === 0 && source === null, 'a null has devices that counted');
  else {
    check(isClose(total / (rule.averagedOver ?? 1), value, total), `what counted is ${total}, the value ${value}`);
    check(
      devices.some((device) => device.ordinal === source && device.counted !== null),
      'the source did not count',
    );
  }
  check(
    devices.every(({ rank }, at) => rank === at + 1),
    'devices are not in the order of their ranks',
  );
  check(
    periods.every((period) => period.counted >= 0 && period.counted <= period.value),
    'more of a period counted than was measured',
  );
  check(periods.length === 0 || metricRow(metric).accrues, 'a metric that does not accrue has periods');
  check(
    leftOut.every(({ reason }) => methodsByReason[reason].includes(rule.method)),
    `${leftOut.map(({ reason }) => reason)} cannot all occur with ${rule.method}`,
  );
  return [...problems, ...devices.flatMap((device) => deviceProblems(device, explained))];
}

function deviceProblems(
  { ordinal, enabled, reported, ownValue, counted }: ExplainedDevice,
  { rule, leftOut, periods }: ValueExplanation,
): string[] {
  const problems: string[] = [];
  const check = (holds: boolean, problem: string): void =>
    void (holds || problems.push(`device ${ordinal}: ${problem}`));
  const omissions = leftOut.filter((each) => each.ordinal === ordinal && each.reason !== 'counted_on_another_day');
  check((reported === null) === (ownValue === null), 'a report without a value, or a value without a report');
  if (ownValue === null) {
    check(omissions.length === 0, 'it has no value, but something was left out');
    check(counted === null || rule.sumOf !== null, 'it has no value, but something counted');
    return problems;
  }
  const isDisabled = omissions.length === 1 && omissions[0]?.reason === 'disabled' && counted === null;
  check(enabled !== isDisabled, `enabled ${enabled}, but its reasons are ${omissions.map(({ reason }) => reason)}`);
  const accounted = (counted ?? 0) + sum(omissions.map(({ value }) => value));
  check(isClose(accounted, ownValue, ownValue), `what counted and was left out is ${accounted}, its value ${ownValue}`);
  const measured = periods.filter((period) => period.ordinal === ordinal);
  if (measured.length === 0) return problems;
  const countedByTime = sum(measured.map((period) => period.counted));
  check(isClose(countedByTime, counted ?? 0, ownValue), `its periods counted ${countedByTime}, it counted ${counted}`);
  const uncounted = measured.filter((period) => period.counted < period.value).length;
  for (const { reason, periods: count } of omissions)
    if (reason === 'measured_by_a_higher_rank') check(uncounted <= count, `${uncounted} periods, not ${count}`);
  return problems;
}

/** The methods with which each reason can occur. */
const methodsByReason: Record<LeftOutReason, readonly string[]> = {
  disabled: ['merge', 'priority', 'max', 'avg', 'sum'],
  lower_rank: ['priority', 'max'],
  measured_by_a_higher_rank: ['merge', 'avg', 'sum', 'max'],
  total_of_a_higher_rank: ['merge', 'avg', 'sum', 'max'],
  total_where_samples_exist: ['merge', 'avg', 'sum', 'max'],
  group_of_another_device: ['priority', 'max', 'avg'],
  deep_and_rem_sleep_count: ['priority', 'max', 'avg'],
  another_device_of_the_provider: ['max', 'avg', 'sum'],
  smaller_value: ['max'],
  counted_on_another_day: ['merge', 'priority', 'max', 'avg', 'sum'],
};
