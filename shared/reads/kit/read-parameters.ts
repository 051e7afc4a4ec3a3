// The query parameters that the data reads share.
import * as z from 'zod';
import { CalendarDate } from '../../platform/time/time.ts';

/** Far enough from the ends of the calendar that counting days never leaves it. */
const [firstYear, lastYear] = ['1000', '9998'];

/** What a read covers at most, but for daily rows. */
export const maxRangeDays = 366;
export const maxDailyRowsDays = 90;

export const QueryDate = CalendarDate.refine(
  (date) => date.slice(0, 4) >= firstYear && date.slice(0, 4) <= lastYear,
  `must lie in the years ${firstYear} to ${lastYear}`,
);

export const FromDate = QueryDate.optional().meta({
  description: 'The first day, in the time zone of the profile; by default 29 days before `to_date`.',
  examples: ['2026-03-01'],
});
export const ToDate = QueryDate.optional().meta({
  description: `The last day, included; by default today in the time zone of the profile. At most ${maxRangeDays} days in all.`,
  examples: ['2026-03-14'],
});

export const StartDate = QueryDate.meta({
  description: 'The first day, in the time zone of the profile.',
  examples: ['2026-03-01'],
});
export const createEndDateField = (days: number) =>
  QueryDate.meta({ description: `The last day, included. At most ${days} days in all.`, examples: ['2026-03-14'] });

export const UnitSystem = z.enum(['metric', 'imperial']);
export type UnitSystem = z.infer<typeof UnitSystem>;

const parseBoolean = (text: unknown): unknown => (text === 'true' ? true : text === 'false' ? false : text);

/** Left out by default. */
const createIncludeField = (content: string) =>
  z
    .preprocess(parseBoolean, z.boolean('must be true or false'))
    .default(false)
    .meta({ description: `Whether to include ${content}.`, examples: [false] });

export const IncludeSources = createIncludeField('the device that each value came from');
export const IncludeFactors = createIncludeField('the factors of each score, with what each was made from');
export const IncludeStatus = createIncludeField('the status of each score on each day: why there is none');
export const IncludeMissing = createIncludeField('rows of days without a score, which say why there is none');
