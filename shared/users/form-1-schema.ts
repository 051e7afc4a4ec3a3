// A user as Form 1 shows it.
import * as z from 'zod';
import { OffsetPage } from '../platform/offset-page.ts';
import { ExternalRef, NewUser, User, UserPatch } from './user.ts';

const {
  id,
  external_ref,
  timezone,
  timezone_source,
  day_rule,
  status,
  score_status,
  last_sync_at,
  last_score_at,
  created_at,
  profile,
} = User.shape;

const reference = {
  reference_id: ExternalRef.nullable().optional(),
  external_ref: ExternalRef.nullable()
    .optional()
    .meta({ description: 'An alias of `reference_id`; send only one of the two.', examples: ['member-4711'] }),
};

/** The same fields as Form 2 takes, under the name that Form 1 shows them by first. */
export const NewFlatUser = z
  .strictObject({
    ...reference,
    timezone: NewUser.shape.timezone,
    day_rule: NewUser.shape.day_rule,
    profile: NewUser.shape.profile,
  })
  .meta({ id: 'NewFlatUser', description: 'A user to create. Every field is optional.' });

export const FlatUserPatch = z
  .strictObject({
    ...reference,
    timezone: UserPatch.shape.timezone,
    day_rule: UserPatch.shape.day_rule,
    profile: UserPatch.shape.profile,
  })
  .meta({ id: 'FlatUserPatch', description: 'Only the fields that are sent change; null clears a field.' });

export const FlatUser = z
  .object({
    id,
    reference_id: external_ref,
    timezone,
    day_rule,
    status,
    score_status,
    last_sync_at,
    last_score_at,
    created_at,
    profile,
    timezone_source,
  })
  .meta({ id: 'FlatUser', description: 'A person whose health data is stored.' });
export type FlatUser = z.infer<typeof FlatUser>;

/** Not in an envelope, which the contract has for reads; so that whoever writes for either form finds what it knows. */
export const WrittenUser = User.extend({ reference_id: external_ref }).meta({
  id: 'WrittenUser',
  description: 'A user as it was written, with its reference under both of its names.',
});
export type WrittenUser = z.infer<typeof WrittenUser>;

export const UserEnvelope = z.object({ data: FlatUser }).meta({ id: 'UserEnvelope', description: 'A user.' });
export type UserEnvelope = z.infer<typeof UserEnvelope>;

export const UserOffsetPage = OffsetPage(
  'UserOffsetPage',
  FlatUser,
  'One page of users in the order of their creation: who is created while somebody pages comes at the end, and who is deleted moves the later ones up by one.',
);
export type UserOffsetPage = z.infer<typeof UserOffsetPage>;
