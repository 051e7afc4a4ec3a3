// The two ways the contract writes a range of days, as reads take it.

import type { AskedRange, StatedRange } from './range.ts';
import { longestRangeDays } from './read-parameters.ts';

export interface FromToQuery {
  from_date?: string | undefined;
  to_date?: string | undefined;
}
export const fromTo = ({ from_date, to_date }: FromToQuery): AskedRange => ({
  from: from_date,
  to: to_date,
  names: { from: 'from_date', to: 'to_date' },
  mostDays: longestRangeDays,
});

export interface StartEndQuery {
  start_date: string;
  end_date: string;
}
export const startEnd = ({ start_date, end_date }: StartEndQuery, mostDays = longestRangeDays): StatedRange => ({
  from: start_date,
  to: end_date,
  names: { from: 'start_date', to: 'end_date' },
  mostDays,
});
