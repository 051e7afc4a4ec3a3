// Merges a group whose members are one measurement, such as the two numbers of a blood pressure: they
// come from one device, and a member that this device lacks stays absent.
// - priority: the highest-ranked device with the lead member supplies all members. If no device has
// the lead, the highest-ranked device with any member supplies them.
// - max: the device with the largest lead supplies all members.
// - avg: each member is averaged separately, because a mean describes no actual measurement anyway.
// One device per provider contributes, chosen as above.

import { meanOf } from '../platform/arithmetic.ts';
import {
  choosePerProvider,
  findHighestRanked,
  findLargest,
  type LoadedDay,
  leaveOut,
  noPosition,
  takeValue,
} from './loaded-day.ts';
import type { GroupPlan } from './merge-plan.ts';
import type { LeftOutReason, MergeRecorder, MetricRecord } from './merge-recorder.ts';

export function createBoundGroupMerge(day: LoadedDay): (plan: GroupPlan, recorder: MergeRecorder | undefined) => void {
  const { has, valueAt, ordinals, merged } = day;

  function hasAny(position: number, members: Uint8Array): boolean {
    for (let at = 0; at < members.length; at++) if (has(position, members[at] ?? 0)) return true;
    return false;
  }

  const chooseDevices = ({ order, members }: GroupPlan): number[] =>
    choosePerProvider(
      day,
      order,
      (position) => has(position, members[0] ?? 0),
      (position) => hasAny(position, members),
    );

  function findSource(plan: GroupPlan): number {
    const { method, order, members } = plan;
    const lead = members[0] ?? 0;
    const withLead =
      method === 'max'
        ? findLargest(
            day,
            chooseDevices(plan).filter((position) => has(position, lead)),
            lead,
          )
        : findHighestRanked(day, order, lead);
    return withLead === noPosition ? (order.find((position) => hasAny(position, members)) ?? noPosition) : withLead;
  }

  /** Why the day does not take a member from this device. */
  function findReason(plan: GroupPlan, index: number, position: number, source: number): LeftOutReason {
    const { method, order, members } = plan;
    const lead = members[0] ?? 0;
    if (method === 'max' && !chooseDevices(plan).includes(position)) return 'another_device_of_the_provider';
    if (!has(source, index)) return 'group_of_another_device';
    if (method === 'max' && has(source, lead)) {
      if (index !== lead) return 'group_of_another_device';
      return valueAt(position, lead) < valueAt(source, lead) ? 'smaller_value' : 'lower_rank';
    }
    return order.indexOf(position) > order.indexOf(source) ? 'lower_rank' : 'group_of_another_device';
  }

  function recordLeftOut(record: MetricRecord, plan: GroupPlan, source: number): void {
    for (const position of plan.order)
      if (position !== source && has(position, record.index))
        leaveOut(day, record, position, findReason(plan, record.index, position, source));
  }

  function average(plan: GroupPlan, recorder: MergeRecorder | undefined): void {
    const chosen = chooseDevices(plan);
    const record = recorder?.metric;
    if (record && plan.members.includes(record.index))
      for (const position of plan.order)
        if (!chosen.includes(position) && has(position, record.index))
          leaveOut(day, record, position, 'another_device_of_the_provider');
    for (const index of plan.members) {
      const contributors = chosen.filter((position) => has(position, index));
      takeValue(day, index, contributors[0] ?? noPosition);
      const shares = contributors.map((position) => ({
        ordinal: ordinals[position] ?? 0,
        value: valueAt(position, index),
      }));
      if (shares.length > 0) merged.values[index] = meanOf(shares.map(({ value }) => value));
      recorder?.breakdowns.set(index, { shares, combination: 'mean' });
    }
  }

  return (plan, recorder) => {
    if (plan.method === 'avg') return average(plan, recorder);
    const source = findSource(plan);
    for (let at = 0; at < plan.members.length; at++) takeValue(day, plan.members[at] ?? 0, source);
    const record = recorder?.metric;
    if (record && plan.members.includes(record.index)) recordLeftOut(record, plan, source);
  };
}
