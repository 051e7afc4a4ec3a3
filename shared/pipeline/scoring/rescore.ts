// Every day of a person is scored anew: their profile changed, or the formulas did.

import { everyDay } from '../../measurements/every-day.ts';
import { commandRows } from '../../users/command-rows.ts';
import type { Work } from '../work.ts';

export const rescores: Work<'rescore'> = {
  isLong: false,
  work: async ({ store }, { user }, commands) => ({
    writes: commands.map((command) => commandRows(store).finishing(user.id, command)),
    scores: [{ ...everyDay, dueMs: 0, atOnce: true }],
  }),
};
