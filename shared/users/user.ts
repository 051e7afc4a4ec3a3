// A user: the person whose data is kept, as the account that created it names and describes it.
import * as z from 'zod';
import { Timestamp, TimeZone, TimeZoneSource } from '../platform/time/time.ts';
import { UserId } from '../system/ids.ts';
import { Device } from './device.ts';
import { Profile } from './profile.ts';

export const ExternalRef = z
  .string()
  .min(1)
  .max(255)
  .refine((text) => text.isWellFormed(), 'must be valid Unicode')
  .meta({ description: "The caller's own identifier for the user.", examples: ['member-4711'] });

const reference = {
  external_ref: ExternalRef.nullable().optional(),
  reference_id: ExternalRef.nullable()
    .optional()
    .meta({ description: 'An alias of `external_ref`; send only one of the two.', examples: ['member-4711'] }),
};

const DayRule = z.enum(['profile', 'recorded']).meta({
  description:
    "Which calendar the user's records count by. `profile`: the days of `timezone`, whatever offset a record carries. " +
    '`recorded`: a record that carries an offset counts on the day where it was made, for people who travel; timeseries and clock values follow `timezone` even then.',
  examples: ['profile'],
});

const timezone = TimeZone.nullable()
  .optional()
  .meta({
    description:
      'An IANA time zone name. A profile without one takes the first that a phone, a browser or a provider names for the person. Send `UTC` for days in UTC.',
    examples: ['Europe/Berlin'],
  });

const days = { timezone, day_rule: DayRule.nullable().optional() };

export const NewUser = z
  .strictObject({ ...reference, ...days, profile: Profile.nullable().optional() })
  .meta({ id: 'NewUser', description: 'A user to create. Every field is optional.' });
export type NewUser = z.infer<typeof NewUser>;

export const UserPatch = z
  .strictObject({ ...reference, ...days, profile: Profile.nullable().optional() })
  .meta({ id: 'UserPatch', description: 'Only the fields that are sent change; null clears a field.' });
export type UserPatch = z.infer<typeof UserPatch>;

export const ScoreStatus = z.enum(['calibrating', 'ready', 'stale']).meta({
  description:
    '`calibrating` until a first score exists, `ready`, or `stale` when data is newer than the last score by a day.',
  examples: ['ready'],
});

export const UserStatus = z.enum(['active', 'unshared']).meta({
  description:
    '`active`, or `unshared` once the member of the team that the user is linked to was removed: data reads, new tokens, new SDK sessions, ' +
    'new connections and uploads are then refused with `sharing_revoked`, and providers are not polled. All data is kept, and an ' +
    'invitation that the person accepts makes the user `active` again.',
  examples: ['active'],
});

export const User = z
  .object({
    id: UserId,
    external_ref: ExternalRef.nullable(),
    timezone: TimeZone.nullable(),
    timezone_source: TimeZoneSource.nullable().meta({
      description:
        'Who named the `timezone`: `caller` is an API call; `device` is a phone, a browser or a provider, which named it while the profile had none. Null without a time zone.',
      examples: ['caller'],
    }),
    day_rule: DayRule,
    profile: Profile,
    status: UserStatus,
    score_status: ScoreStatus,
    last_sync_at: Timestamp.nullable().meta({
      description: 'When data last arrived; null before the first sync.',
      examples: ['2026-03-14T07:26:53.589Z'],
    }),
    last_score_at: Timestamp.nullable().meta({
      description: 'When scores were last computed.',
      examples: ['2026-03-14T07:27:10.004Z'],
    }),
    created_at: Timestamp.meta({ examples: ['2026-03-01T07:58:41.020Z'] }),
  })
  .meta({ id: 'User', description: 'A person whose health data is stored.' });
export type User = z.infer<typeof User>;

export const DetailedUser = User.extend({ devices: z.array(Device) }).meta({
  id: 'DetailedUser',
  description: 'A user with the devices it has linked.',
});
export type DetailedUser = z.infer<typeof DetailedUser>;

export const DeletionAccepted = z
  .object({
    id: UserId,
    status: z.enum(['deleting']).meta({ examples: ['deleting'] }),
    requested_at: Timestamp,
  })
  .meta({ id: 'DeletionAccepted', description: 'The user can no longer be accessed; its data is being erased.' });
export type DeletionAccepted = z.infer<typeof DeletionAccepted>;
