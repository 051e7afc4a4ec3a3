// The personas of sandbox users and the devices they use.
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

/** Ages in years, for the personas whose scores depend on it. */
export const personaAges: Readonly<Partial<Record<(typeof personaIds)[number], number>>> = { child: 8, older: 72 };

export const SandboxPersona = z.enum(personaIds).meta({
  id: 'SandboxPersona',
  description:
    'The persona whose data a sandbox user has, `average` by default. `athlete` trains almost daily; `shift_worker` sleeps during the day on three days out of six; ' +
    '`traveller` spends three days out of six in another time zone; `sparse` has missing days and metrics. ' +
    '`new_user` has data for only the three days before today; `ill` has been in bed since two days before the user was created; ' +
    '`device_swap` replaced its ring three days before that with a watch that measures differently; `incomplete_log` logs only a breakfast or a snack on three days of four; ' +
    '`child` is 8 years old and `older` is 72, and their profiles say so unless you send another date of birth. ' +
    '`ill` and `device_swap` have three weeks of data, all others seven days. For `average`, `athlete`, `shift_worker`, `traveller`, ' +
    '`incomplete_log` and `older`, the weeks before that are seeded as a baseline, so that scores have values from the first day; no read returns these weeks as days. With `sparse` and `new_user`, you can watch scores calibrate. The persona is chosen when the user is created, in the sandbox only.',
  examples: ['average'],
});
export type SandboxPersona = z.infer<typeof SandboxPersona>;

/**
 * The longest history that the sandbox's simulated providers are queried for: no persona starts
 * with more than three weeks of data.
 */
export const sandboxHistoryDays = 59;

export const SandboxDevice = z.enum(['ring', 'phone', 'watch']);
export type SandboxDevice = z.infer<typeof SandboxDevice>;
