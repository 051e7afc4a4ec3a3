// The profile of a user.
import * as z from 'zod';
import { SandboxDays, SandboxPersona, SandboxSeed } from '../catalog/sandbox.ts';
import { CalendarDate } from '../platform/time/time.ts';

const minBirthDate = '1900-01-01';

export const Profile = z
  .strictObject({
    date_of_birth: CalendarDate.refine((day) => day >= minBirthDate, `must not be before ${minBirthDate}`)
      .nullable()
      .optional()
      .meta({ description: 'Date of birth.', examples: ['1990-05-17'] }),
    sex: z
      .enum(['female', 'male', 'other'])
      .nullable()
      .optional()
      .meta({ description: 'Used by formulas that differ by sex.', examples: ['female'] }),
    height_cm: z
      .number()
      .min(30)
      .max(280)
      .nullable()
      .optional()
      .meta({ description: 'Height in centimetres.', examples: [171] }),
    weight_kg: z
      .number()
      .min(1)
      .max(700)
      .nullable()
      .optional()
      .meta({ description: 'Weight in kilograms.', examples: [64.5] }),
    sandbox_persona: SandboxPersona.nullable().optional(),
    sandbox_days: SandboxDays.nullable().optional(),
    sandbox_seed: SandboxSeed.nullable().optional(),
  })
  .meta({ id: 'Profile', description: 'Information about the user. Every field is optional; null clears it.' });
export type Profile = z.infer<typeof Profile>;
