// Compares a profile with the model: its time zone, who set it, its day rule, and what "today" is.
import { differences, type Mismatch } from './compare.ts';
import type { View } from './view.ts';
import { addDays, localDate, type Span } from './zone-clock.ts';

export interface ProfileBody {
  timezone: string | null;
  timezone_source?: string | null;
  day_rule?: string;
}

export function profileMismatches({ user }: View, { timezone, timezone_source, day_rule }: ProfileBody): Mismatch[] {
  const got = { timezone, timezone_source: timezone_source ?? null, day_rule };
  const { timezoneSource, dayRule } = user;
  return differences('user', got, {
    timezone: user.timezone,
    timezone_source: timezoneSource,
    day_rule: dayRule,
  });
}

/** A read without dates ends today, which may have begun after the request was sent. */
export function todayMismatches(
  { clock }: View,
  sent: Span,
  { from_date, to_date }: { from_date: string; to_date: string },
): Mismatch[] {
  const days = [sent.from, sent.to].map((at) => localDate(clock, at));
  const expected = days.map((today) => [addDays(today, -29), today]);
  const fits = expected.some(([first, last]) => first === from_date && last === to_date);
  return fits ? [] : [{ where: 'from_date and to_date', got: [from_date, to_date], expected }];
}
