// Inclusive spans of calendar dates.
export interface DateSpan {
  from: string;
  to: string;
}

export const allDays: DateSpan = { from: '0000-01-01', to: '9999-12-31' };
