// Schemas of a user: an individual whose data is stored, as identified and described by the account
// that created it.
import * as z from 'zod';
import { Timestamp, TimeZone, TimeZoneSource } from '../platform/time/time.ts';
import { UnicodeText } from '../platform/unicode-text.ts';
import { UserId } from '../system/ids.ts';
import { Device } from './device.ts';
import { Profile } from './profile.ts';

export const ExternalRef = UnicodeText.min(1)
  .max(255)
  .meta({ description: 'Your own identifier for the user.', examples: ['member-4711'] });

const reference = {
  external_ref: ExternalRef.nullable().optional(),
  reference_id: ExternalRef.nullable()
    .optional()
    .meta({ description: 'An alias of `external_ref`; send only one of the two.', examples: ['member-4711'] }),
};

const DayRule = z.enum(['profile', 'recorded']).meta({
  id: 'DayRule',
  description:
    "How the user's records are assigned to days. `profile`: by the days of `timezone`, regardless of the offset of a record. " +
    '`recorded`: a record with an offset counts on the local day where it was made, for users who travel; timeseries and clock times still follow `timezone`.',
  examples: ['profile'],
});

const timezone = TimeZone.nullable()
  .optional()
  .meta({
    description:
      'An IANA time zone name. A profile without one takes the first that a phone, a browser or a provider names for the user. Send `UTC` for days in UTC.',
    examples: ['Europe/Berlin'],
  });

const days = { timezone, day_rule: DayRule.nullable().optional() };

export const NewUser = z
  .strictObject({ ...reference, ...days, profile: Profile.nullable().optional() })
  .meta({ id: 'NewUser', description: 'A user to create. Every field is optional.' });
export type NewUser = z.infer<typeof NewUser>;

export const UserPatch = z
  .strictObject({ ...reference, ...days, profile: Profile.nullable().optional() })
  .meta({ id: 'UserPatch', description: 'Changes only the fields you send; null clears a field.' });
export type UserPatch = z.infer<typeof UserPatch>;

export const ScoreStatus = z.enum(['calibrating', 'ready', 'stale']).meta({
  id: 'ScoreStatus',
  description:
    '`calibrating`: no score exists yet. `ready`: scores are up to date. `stale`: the newest data is at least a day newer than the last score.',
  examples: ['ready'],
});

export const UserStatus = z.enum(['active', 'unshared']).meta({
  id: 'UserStatus',
  description:
    '`active`, or `unshared` once the team member linked to the user has been removed. Data reads, new tokens, new SDK sessions, ' +
    'new connections and uploads then fail with `sharing_revoked`, and providers are not polled. All data stays stored, and the user becomes ' +
    '`active` again when they accept a new invitation.',
  examples: ['active'],
});

export const User = z
  .object({
    id: UserId,
    external_ref: ExternalRef.nullable(),
    timezone: TimeZone.nullable(),
    timezone_source: TimeZoneSource.nullable().meta({
      description:
        'The origin of `timezone`: `caller` is an API call; `device` is a phone, a browser or a provider that named it while the profile had none. Null without a time zone.',
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
  description: 'A user with its linked devices.',
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
