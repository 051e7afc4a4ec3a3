// What happens in a deployment and what each of it costs on AWS, put together to a person's month, and
// to a month in which nothing happens.
import { daysAMonth, readsADay, workoutsAWeek } from '../costs/day-plan.ts';
import type { Capacity } from '../costs/dollars.ts';
import { inDollars, rowsOf } from '../costs/happening.ts';
import { otherProfiles } from '../costs/other-profiles.ts';
import { phoneProfiles } from '../costs/phone-profiles.ts';
import { prices, secondsAMonth } from '../costs/prices.ts';
import { providerProfiles } from '../costs/provider-profiles.ts';
import { stackParts } from '../costs/stack-parts.ts';
import { combine, scale, type Usage } from '../costs/usage.ts';
import type { Measure, Row } from '../row.ts';

const gigabyte = 1e9;

export const measure: Measure = async () => {
  const phone = await phoneProfiles();
  const provider = await providerProfiles();
  const other = await otherProfiles();
  const stored = (phone.yearBytes / gigabyte) * prices.table.gigabyteMonth;
  const month = (day: Usage): Usage =>
    scale(
      [scale(phone.workout, workoutsAWeek / 7), scale(other.monthlyRead, readsADay)].reduce(
        (sum, part) => combine(sum, part),
        day,
      ),
      daysAMonth,
    );
  const ofUser = (name: string, day: Usage): Row[] =>
    inDollars(`user-month, ${name}`, month(day), { onDemand: stored, provisioned: stored });
  return [
    ...[...phone.happenings, ...provider.happenings, ...other.happenings].flatMap(rowsOf),
    ...ofUser('24 syncs a day', phone.day24),
    ...ofUser('44 syncs a day', phone.day44),
    ...ofUser('24 syncs a day and a wearable', combine(phone.day24, provider.day)),
    ...ofUser('44 syncs a day and a wearable', combine(phone.day44, provider.day)),
    { name: 'user-month, storage of a year in it', unit: '$ a month', value: stored },
    { name: 'a year of a phone, stored', unit: 'MB', value: phone.yearBytes / 1e6 },
    ...inDollars('720 real hours in which scores change', scale(phone.realHour, 720)),
    ...(await idleRows(scale(other.idleHour, secondsAMonth / 3_600))),
  ];
};

/** Held to what an idle deployment may cost each month; what AWS gives everybody for nothing only informs. */
const idleHold = { atMost: 6 };

async function idleRows(schedules: Usage): Promise<Row[]> {
  const parts = await stackParts();
  const sum = (capacity: Capacity) => parts.reduce((total, { dollars }) => total + dollars[capacity], 0);
  const free = parts.reduce((total, part) => total + part.free, 0);
  const [onDemand, ...others] = inDollars('idle stack', schedules, {
    onDemand: sum('onDemand'),
    provisioned: sum('provisioned'),
  });
  if (!onDemand) throw new Error('an idle stack has no price');
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
    ...inDollars('idle stack: schedules', schedules),
    { ...onDemand, hold: idleHold },
    {
      name: 'idle stack, on demand, less 10 alarm metrics, 1 M requests to queues and 20,000 to KMS',
      unit: '$ a month',
      value: onDemand.value - free,
    },
    ...others,
  ];
}
