// Merges the metrics of a night, each by itself. The device that measured the time asleep comes first;
// a metric that it did not report comes from the highest-ranked other device that did.
// - priority: the night's device is the highest-ranked one with the time asleep.
// - max, avg: each provider gives the value of its own night's device, or of its highest-ranked other
// device that has the metric; the day is the largest of them, or their mean.
//
// Two metrics follow others: the longest sleep comes from the device of the time asleep, and
// restorative sleep is the deep and the REM sleep of the day wherever it has both. An efficiency is
// never computed here: it comes as one device reported or derived it.

import type { MetricId } from '../catalog/metrics.ts';
import { metricRow } from '../catalog/metrics.ts';
import { meanOf, sumOf } from '../platform/arithmetic.ts';
import {
  choosePerProvider,
  findHighestRanked,
  findLargest,
  type LoadedDay,
  leaveOut,
  noPosition,
  recordOf,
  takeValue,
} from './loaded-day.ts';
import { findLargestShare } from './merge-metric-by-period.ts';
import type { GroupPlan } from './merge-plan.ts';
import type { LeftOutReason, MergeRecorder, MetricRecord, Share } from './merge-recorder.ts';

const indexOf = (metric: MetricId): number => metricRow(metric).index;
const [asleep, longestSleep, restorative] = [indexOf('asleep'), indexOf('longest_sleep'), indexOf('restorative_sleep')];
const restorativeStages = ['deep_sleep', 'rem_sleep'] as const satisfies MetricId[];
const restorativeIndexes = restorativeStages.map(indexOf);

export function createNightMerge(day: LoadedDay): (plan: GroupPlan, recorder: MergeRecorder | undefined) => void {
  const { has, valueAt, ordinals, merged } = day;
  const { values, sources } = merged;

  const hasDeepAndRem = (): boolean => restorativeIndexes.every((index) => !Number.isNaN(values[index] ?? Number.NaN));

  /** Allocates nothing, because every day of every user is merged by this rule. */
  function mergeByPriority({ order, members }: GroupPlan): void {
    const night = findHighestRanked(day, order, asleep);
    for (let at = 0; at < members.length; at++) {
      const index = members[at] ?? 0;
      const isBound = index === longestSleep && night !== noPosition;
      takeValue(day, index, isBound || has(night, index) ? night : findHighestRanked(day, order, index));
    }
  }

  /** Returns the devices whose values are compared or averaged, highest-ranked first. */
  function chooseDevices({ order }: GroupPlan, index: number): number[] {
    const nights = choosePerProvider(day, order, (position) => has(position, asleep));
    return choosePerProvider(
      day,
      order,
      (position) => nights.includes(position) && has(position, index),
      (position) => has(position, index),
    );
  }

  /** The devices that the time asleep comes from; all candidates if no device has it. */
  function chooseForLongestSleep(plan: GroupPlan): number[] {
    const nights = chooseDevices(plan, asleep);
    if (nights.length === 0) return chooseDevices(plan, longestSleep);
    const sleepers = plan.method === 'max' ? [findLargest(day, nights, asleep)] : nights;
    return sleepers.filter((position) => has(position, longestSleep));
  }

  const contributorsTo = (plan: GroupPlan, index: number): number[] =>
    index === longestSleep ? chooseForLongestSleep(plan) : chooseDevices(plan, index);

  function mergeByMethod(plan: GroupPlan, recorder: MergeRecorder | undefined): void {
    for (const index of plan.members) {
      const contributors = contributorsTo(plan, index);
      if (plan.method === 'max') {
        takeValue(day, index, findLargest(day, contributors, index));
        continue;
      }
      takeValue(day, index, contributors[0] ?? noPosition);
      const shares = sharesOf(contributors, index);
      if (shares.length > 0) values[index] = meanOf(shares.map(({ value }) => value));
      recorder?.breakdowns.set(index, { shares, combination: 'mean' });
    }
  }

  const sharesOf = (positions: readonly number[], index: number): Share[] =>
    positions.map((position) => ({ ordinal: ordinals[position] ?? 0, value: valueAt(position, index) }));

  /** What each device gives to the deep or the REM sleep of the day. */
  function stageShares(plan: GroupPlan, index: number): Share[] {
    if (plan.method !== 'avg') return [{ ordinal: sources[index] ?? 0, value: values[index] ?? 0 }];
    const shares = sharesOf(chooseDevices(plan, index), index);
    return shares.map(({ ordinal, value }) => ({ ordinal, value: value / shares.length }));
  }

  /** The source is the device that gives most of it. */
  function sumRestorative(plan: GroupPlan, recorder: MergeRecorder | undefined): void {
    const [deep = 0, rem = 0] = restorativeIndexes;
    values[restorative] = sumOf([values[deep] ?? 0, values[rem] ?? 0]);
    const isFromOneDevice = plan.method !== 'avg' && sources[deep] === sources[rem];
    if (isFromOneDevice && !recorder) {
      sources[restorative] = sources[deep] ?? 0;
      return;
    }
    const byOrdinal = Map.groupBy(
      restorativeIndexes.flatMap((index) => stageShares(plan, index)),
      ({ ordinal }) => ordinal,
    );
    const shares = Array.from(plan.order).flatMap((position): Share[] => {
      const own = byOrdinal.get(ordinals[position] ?? 0);
      return own ? [{ ordinal: ordinals[position] ?? 0, value: sumOf(own.map(({ value }) => value)) }] : [];
    });
    sources[restorative] = findLargestShare(shares)?.ordinal ?? 0;
    recorder?.breakdowns.set(restorative, { shares, combination: 'sum', sumOf: restorativeStages });
    const record = recordOf(recorder, restorative);
    if (record) recordStages(record, plan, shares);
  }

  /** A device may give another amount than its own restorative sleep, or a part of it. */
  function recordStages(record: MetricRecord, { order }: GroupPlan, shares: readonly Share[]): void {
    for (const position of order) {
      if (!has(position, restorative)) continue;
      const ordinal = ordinals[position] ?? 0;
      const share = shares.find((each) => each.ordinal === ordinal);
      const rest = valueAt(position, restorative) - (share?.value ?? 0);
      if (!share || rest !== 0)
        record.leftOut.push({ ordinal, value: rest, reason: 'deep_and_rem_sleep_count', periods: 0 });
    }
  }

  function recordLeftOut(record: MetricRecord, plan: GroupPlan): void {
    const { index } = record;
    const contributors = plan.method === 'priority' ? [] : contributorsTo(plan, index);
    const source = Array.from(plan.order).find(
      (position) => ordinals[position] === sources[index] && has(position, index),
    );
    const isTaken = !Number.isNaN(values[index] ?? Number.NaN);
    for (const position of plan.order) {
      const counts = plan.method === 'avg' ? contributors.includes(position) : isTaken && position === source;
      if (!counts && has(position, index))
        leaveOut(day, record, position, findReason(plan, index, position, { contributors, source }));
    }
  }

  function findReason(
    { method, order }: GroupPlan,
    index: number,
    position: number,
    { contributors, source = noPosition }: { contributors: readonly number[]; source: number | undefined },
  ): LeftOutReason {
    const followsAsleep = index === longestSleep && Array.from(order).some((each) => has(each, asleep));
    if (method === 'priority')
      return source !== noPosition && order.indexOf(position) > order.indexOf(source)
        ? 'lower_rank'
        : 'group_of_another_device';
    if (followsAsleep) return 'group_of_another_device';
    if (!contributors.includes(position)) return 'another_device_of_the_provider';
    return valueAt(position, index) < valueAt(source, index) ? 'smaller_value' : 'lower_rank';
  }

  return (plan, recorder) => {
    if (plan.method === 'priority') mergeByPriority(plan);
    else mergeByMethod(plan, recorder);
    if (hasDeepAndRem()) sumRestorative(plan, recorder);
    const record = recorder?.metric;
    const isStageSum = record?.index === restorative && hasDeepAndRem();
    if (record && plan.members.includes(record.index) && !isStageSum) recordLeftOut(record, plan);
  };
}
