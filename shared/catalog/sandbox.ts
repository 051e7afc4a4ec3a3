// The people a sandbox can have, and what they wear and carry.
import * as z from 'zod';

export const personaIds = [
  'average',
  'athlete',
  'shift_worker',
  'traveller',
  'sparse',
  'new_user',
  'ill',
  'device_swap',
  'incomplete_log',
  'child',
  'older',
] as const;

/** In years, of those to whom it matters. */
export const personaAges: Readonly<Partial<Record<(typeof personaIds)[number], number>>> = { child: 8, older: 72 };

export const SandboxPersona = z.enum(personaIds).meta({
  description:
    'Whose life a sandbox user lives, `average` by default. `athlete` trains almost daily; `shift_worker` sleeps by day in three days of six; ' +
    '`traveller` spends three days of six in another time zone; `sparse` leaves out days and metrics. ' +
    '`new_user` has only three days before today; `ill` has been in bed since two days before it was created; ' +
    '`device_swap` laid its ring aside three days before, for a watch that measures otherwise; `incomplete_log` logs no more than a breakfast or a snack on three days of four; ' +
    '`child` is eight years old and `older` 72, and their profile says so unless it is sent with another date of birth. ' +
    '`ill` and `device_swap` have three weeks of data, all others seven days. Scores know from the first day what is usual for `average`, `athlete`, `shift_worker`, `traveller`, ' +
    '`incomplete_log` and `older`: weeks before it are seeded as a baseline, which no read shows as days; with `sparse` and `new_user` you see how they calibrate. Chosen when the user is created, in the sandbox only.',
  examples: ['average'],
});
export type SandboxPersona = z.infer<typeof SandboxPersona>;

/** Before today, its vendors are asked for no more: nobody in the sandbox is made with a longer past than three weeks. */
export const sandboxHistoryDays = 59;

export const SandboxDevice = z.enum(['ring', 'phone', 'watch']);
export type SandboxDevice = z.infer<typeof SandboxDevice>;
