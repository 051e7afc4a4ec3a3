// Converts the contract's two notations of a range of days into the form that reads use.

import type { ExplicitRange, RequestedRange } from './range.ts';
import { maxRangeDays, maxSizedRangeDays } from './read-parameters.ts';

export interface FromToQuery {
  from_date?: string | undefined;
  to_date?: string | undefined;
}
export const parseFromTo = ({ from_date, to_date }: FromToQuery): RequestedRange => ({
  from: from_date,
  to: to_date,
  names: { from: 'from_date', to: 'to_date' },
  maxDays: maxRangeDays,
});

export interface StartEndQuery {
  start_date: string;
  end_date: string;
}
/** By default for a read that is limited by the size of its response. */
export const parseStartEnd = ({ start_date, end_date }: StartEndQuery, maxDays = maxSizedRangeDays): ExplicitRange => ({
  from: start_date,
  to: end_date,
  names: { from: 'start_date', to: 'end_date' },
  maxDays,
});
