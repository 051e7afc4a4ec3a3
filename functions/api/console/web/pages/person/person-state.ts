// What the parts of a person's page share: the person, their devices and the range of days.

import { addDays, isCalendarDate, todayIn } from '../../../../../../shared/platform/time/local-day.ts';
import { address } from '../../address/address.ts';
import type { Schemas } from '../../api/client.ts';
import type { DeviceMark } from '../../charts/device-colors.ts';
import { now } from '../../state/now.ts';

export type Person = Schemas['DetailedUser'];
export type PersonDevice = Schemas['Device'];

export interface PersonContext {
  person: Person;
  /** The zone of the person's days: UTC until a phone or the connect page names one. */
  zone: string;
  today: string;
  devices: readonly PersonDevice[];
  marks: ReadonlyMap<string, DeviceMark>;
  range: DayRange;
}

export interface DayRange {
  from: string;
  to: string;
  days: number;
}

export const rangeLengths = [7, 30, 90, 365] as const;
export const defaultRangeDays = 30;
/** The API's bound of a range. */
const maxRangeDays = 365;

export function readRange(today: string): DayRange {
  const { days: text, to: lastDay } = address.value.query;
  const days = Math.min(maxRangeDays, Math.max(1, Number(text) || defaultRangeDays));
  const to = lastDay !== undefined && isCalendarDate(lastDay) && lastDay < today ? lastDay : today;
  return { from: addDays(to, 1 - days), to, days };
}

export const zoneOf = ({ timezone }: Pick<Person, 'timezone'>): string => timezone ?? 'UTC';
export const personToday = (person: Person): string => todayIn(zoneOf(person), now.value);
