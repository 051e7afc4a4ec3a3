// The query parameters that the data reads share.
import * as z from 'zod';
import { CalendarDate } from '../../platform/time/time.ts';

/** Far enough from the ends of the calendar that adding or subtracting days stays within it. */
const [firstYear, lastYear] = ['1000', '9998'];

/** The maximum range of a read, except for daily rows. */
export const maxRangeDays = 366;
export const maxDailyRowsDays = 90;
/**
 * Ten years: the maximum range of reads for which the contract states none. What they return is
 * limited by size.
 */
export const maxSizedRangeDays = 3_653;

export const QueryDate = CalendarDate.refine(
  (date) => date.slice(0, 4) >= firstYear && date.slice(0, 4) <= lastYear,
  `must be between the years ${firstYear} and ${lastYear}`,
);

export const FromDate = QueryDate.optional().meta({
  description: "The first day, in the time zone of the user's profile. Defaults to 29 days before `to_date`.",
  examples: ['2026-03-01'],
});
export const ToDate = QueryDate.optional().meta({
  description: `The last day, inclusive. Defaults to today in the time zone of the user's profile. The range may span at most ${maxRangeDays} days.`,
  examples: ['2026-03-14'],
});

export const StartDate = QueryDate.meta({
  description: "The first day, in the time zone of the user's profile.",
  examples: ['2026-03-01'],
});
/** For ranges that are limited by size. */
export const SizedEndDate = QueryDate.meta({
  description:
    'The last day, inclusive. The range may span ten years if the response fits; otherwise the error names the longest range that fits.',
  examples: ['2026-03-14'],
});
export const createEndDateField = (days: number) =>
  QueryDate.meta({
    description: `The last day, inclusive. The range may span at most ${days} days.`,
    examples: ['2026-03-14'],
  });

export const UnitSystem = z
  .enum(['metric', 'imperial'])
  .meta({ id: 'UnitSystem', description: 'The units of the values.', examples: ['metric'] });
export type UnitSystem = z.infer<typeof UnitSystem>;

const parseBoolean = (text: unknown): unknown => (text === 'true' ? true : text === 'false' ? false : text);

/** Defaults to false. */
export const createBooleanField = (description: string) =>
  z
    .preprocess(parseBoolean, z.boolean('must be true or false'))
    .default(false)
    .meta({ description, examples: [false] });

const createIncludeField = (content: string) => createBooleanField(`Whether to include ${content}.`);

export const IncludeSources = createIncludeField('the device that each value came from');
export const IncludeStages = createIncludeField('the stages of each session');
export const IncludeFactors = createIncludeField('the factors of each score and the measurements they are based on');
export const IncludeStatus = createIncludeField(
  'the status of each score on each day, with the reason if it has no value',
);
export const IncludeMissing = createIncludeField('rows for days without a score, with the reason');
