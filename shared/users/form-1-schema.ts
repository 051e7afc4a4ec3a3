// Schemas of a user in Form 1.
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

/** The same fields as in Form 2, with the name that Form 1 uses first. */
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
  .meta({ id: 'FlatUserPatch', description: 'Changes only the fields you send; null clears a field.' });

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

/**
 * Not in an envelope, which the contract defines for reads. Callers of either form find the field
 * names they know.
 */
export const WrittenUser = User.extend({ reference_id: external_ref }).meta({
  id: 'WrittenUser',
  description: 'The user after the write, with its reference under both names.',
});
export type WrittenUser = z.infer<typeof WrittenUser>;

export const UserEnvelope = z.object({ data: FlatUser }).meta({ id: 'UserEnvelope', description: 'A user.' });
export type UserEnvelope = z.infer<typeof UserEnvelope>;

export const UserOffsetPage = OffsetPage(
  'UserOffsetPage',
  FlatUser,
  'One page of users in the order of creation. Users created while you page appear at the end; a deleted user moves the later ones up by one.',
);
export type UserOffsetPage = z.infer<typeof UserOffsetPage>;
