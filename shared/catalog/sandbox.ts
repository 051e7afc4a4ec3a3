// The personas of sandbox users, the devices they use and how many days of data they start with.
import * as z from 'zod';

export const defaultSandboxDays = 7;
const maxSandboxDays = 366;
/** With this many days, scores of the newest day depend on no day before them. */
export const minUnseededDays = 35;

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
  'empty',
] as const;

/**
 * How a simulated provider fails for an account, from a minute after the consent on, so that the
 * first data arrives: it is unavailable, its rate limit is reached, or the consent has ended.
 */
export const simulatedFailures = ['unavailable', 'rate_limited', 'consent_ended'] as const;
export type SimulatedFailure = (typeof simulatedFailures)[number];

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
    '`empty` has no devices and no data until you upload some, or connect a device at a simulated provider and choose another person on its page. ' +
    '`ill` and `device_swap` have at least three weeks of data, `empty` none, all others seven days or what `sandbox_days` says. For `average`, `athlete`, `shift_worker`, `traveller`, ' +
    `\`incomplete_log\` and \`older\`, the weeks before that are seeded as a baseline, so that scores have values from the first day; no read returns these weeks as days. With ${minUnseededDays} or more days, nothing is seeded. ` +
    'With `sparse` and `new_user`, you can watch scores calibrate. The persona is chosen when the user is created, in the sandbox only.',
  examples: ['average'],
});
export type SandboxPersona = z.infer<typeof SandboxPersona>;

const daysMessage = `must be a whole number of days from ${defaultSandboxDays} to ${maxSandboxDays}`;

export const SandboxDays = z
  .int(daysMessage)
  .min(defaultSandboxDays, daysMessage)
  .max(maxSandboxDays, daysMessage)
  .meta({
    description:
      `How many whole days of data a sandbox user starts with, before today: ${defaultSandboxDays} by default, at most ${maxSandboxDays}. ` +
      'The newest days arrive first, the others in the following seconds to minutes; more days do not change the newest ones. ' +
      '`ill` and `device_swap` have at least 21 days, so that something precedes their story, `new_user` always has three, and `empty` none. ' +
      `With ${minUnseededDays} or more days, no baseline is seeded: scores compare with the days themselves, and those of the first week calibrate, as for a real user. ` +
      'The number is chosen when the user is created, in the sandbox only.',
    examples: [90],
  });

const seedMessage = 'must be 1 to 64 letters, digits, dots, hyphens or underscores';

/**
 * Text, so that it can be the name of a test or the number of a build. It is part of the name of an
 * account at a simulated provider, which is why its characters and its length are limited.
 */
export const SandboxSeed = z
  .string(seedMessage)
  .regex(/^[A-Za-z0-9._-]{1,64}$/, seedMessage)
  .meta({
    description:
      'Makes the simulated life repeatable: users with the same `sandbox_seed`, persona, `sandbox_days`, time zone and day of creation have the same values on every whole day, ' +
      'in every account. Ids differ, and two users never share an account at a provider. Without it, each user has a life of its own. ' +
      'A device that you connect on the page of a simulated provider has the life of its account number instead. ' +
      'The seed is chosen when the user is created, in the sandbox only.',
    examples: ['checkout-test-1'],
  });

/**
 * The history that the sandbox's simulated providers are queried for. An account that a user links
 * has no more than three weeks of data; the user's own ring is queried for all days of its life.
 */
export const sandboxHistoryDays = 59;

export const SandboxDevice = z.enum(['ring', 'phone', 'watch']);
export type SandboxDevice = z.infer<typeof SandboxDevice>;
