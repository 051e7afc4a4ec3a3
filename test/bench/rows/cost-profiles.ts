// Prices the operations of a deployment on AWS, and adds them up to the monthly cost of a user and
// of an idle deployment.
import { daysPerMonth, readsPerDay, workoutsPerWeek } from '../costs/day-plan.ts';
import type { Capacity } from '../costs/dollars.ts';
import { monthlyCostRows, toRows } from '../costs/measured-operation.ts';
import { measureOtherProfiles } from '../costs/other-profiles.ts';
import { measurePhoneProfiles } from '../costs/phone-profiles.ts';
import { prices, secondsPerMonth } from '../costs/prices.ts';
import { measureProviderProfiles } from '../costs/provider-profiles.ts';
import { measureStackParts } from '../costs/stack-parts.ts';
import { combine, scale, type Usage } from '../costs/usage.ts';
import type { Measure, Row } from '../row.ts';

const gigabyte = 1e9;

export const measure: Measure = async () => {
  const phone = await measurePhoneProfiles();
  const provider = await measureProviderProfiles();
  const other = await measureOtherProfiles();
  const stored = (phone.yearBytes / gigabyte) * prices.table.gigabyteMonth;
  const month = (day: Usage): Usage =>
    scale(
      [scale(phone.workout, workoutsPerWeek / 7), scale(other.monthlyRead, readsPerDay)].reduce(
        (sum, part) => combine(sum, part),
        day,
      ),
      daysPerMonth,
    );
  const ofUser = (name: string, day: Usage): Row[] =>
    monthlyCostRows(`user-month, ${name}`, month(day), { onDemand: stored, provisioned: stored });
  return [
    ...[...phone.operations, ...provider.operations, ...other.operations].flatMap(toRows),
    ...ofUser('24 syncs a day', phone.day24),
    ...ofUser('44 syncs a day', phone.day44),
    ...ofUser('24 syncs a day and a wearable', combine(phone.day24, provider.day)),
    ...ofUser('44 syncs a day and a wearable', combine(phone.day44, provider.day)),
    { name: 'user-month, storage of a year in it', unit: '$ a month', value: stored },
    { name: 'a year of a phone, stored', unit: 'MB', value: phone.yearBytes / 1e6 },
    ...monthlyCostRows('720 real hours in which scores change', scale(phone.typicalHour, 720)),
    ...(await idleRows(scale(other.idleHour, secondsPerMonth / 3_600))),
  ];
};

/**
 * The limit on the monthly cost of an idle deployment. The cost after free tiers is for information
 * only.
 */
const idleBound = { max: 6 };

async function idleRows(schedules: Usage): Promise<Row[]> {
  const parts = await measureStackParts();
  const sum = (capacity: Capacity) => parts.reduce((total, { dollars }) => total + dollars[capacity], 0);
  const free = parts.reduce((total, part) => total + part.free, 0);
  const [onDemand, ...others] = monthlyCostRows('idle stack', schedules, {
    onDemand: sum('onDemand'),
    provisioned: sum('provisioned'),
  });
  if (!onDemand) throw new Error('the idle stack has no price');
  return [
    ...parts.flatMap(({ name, counts, dollars }) =>
      (['onDemand', 'provisioned'] as const).flatMap((capacity) => {
        if (capacity === 'provisioned' && dollars.provisioned === dollars.onDemand) return [];
        const of = `idle stack: ${name}${capacity === 'provisioned' ? ', provisioned' : ''}`;
        return [
          { name: of, unit: 'count', value: counts[capacity] },
          { name: `${of}, $ a month`, unit: '$ a month', value: dollars[capacity] },
        ];
      }),
    ),
    ...monthlyCostRows('idle stack: schedules', schedules),
    { ...onDemand, bound: idleBound },
    {
      name: 'idle stack, on demand, less 10 alarm metrics, 1 M requests to queues and 20,000 to KMS',
      unit: '$ a month',
      value: onDemand.value - free,
    },
    ...others,
  ];
}
