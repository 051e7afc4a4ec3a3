// Every day of a person is scored anew: their profile changed, or the formulas did.
import { commandRows } from '../../store/commands.ts';
import type { Work } from '../person/work.ts';
import { everyDay } from './days.ts';

export const rescores: Work<'rescore'> = {
  isLong: false,
  work: async ({ store }, { user }, commands) => ({
    writes: commands.map((command) => commandRows(store).finishing(user.id, command)),
    scores: [{ ...everyDay, dueMs: 0, atOnce: true }],
  }),
};
