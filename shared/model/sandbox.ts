// The people a sandbox can have.
import * as z from 'zod';

export const personaIds = ['average', 'athlete', 'shift_worker', 'traveller', 'sparse'] as const;

export const SandboxPersona = z.enum(personaIds).meta({
  description:
    'Whose life a sandbox user lives, `average` by default. `athlete` trains almost daily; `shift_worker` sleeps by day in three days of six; ' +
    '`traveller` spends three days of six in another time zone; `sparse` leaves out days and metrics. Chosen when the user is created, in the sandbox only.',
  examples: ['average'],
});
export type SandboxPersona = z.infer<typeof SandboxPersona>;
