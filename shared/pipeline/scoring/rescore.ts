// Scores every day of a user again after a change of the profile or of the formulas.

import { allDays } from '../../measurements/date-span.ts';
import { commandRows } from '../../users/command-rows.ts';
import type { CommandHandler } from '../command-handler.ts';

export const rescoreHandler: CommandHandler<'rescore'> = {
  isLong: false,
  handle: async ({ store }, { user }, commands) => ({
    writes: commands.map((command) => commandRows(store).buildFinish(user.id, command)),
    scores: [{ ...allDays, dueMs: 0, atOnce: true }],
  }),
};
