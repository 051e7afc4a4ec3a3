// A user in its envelope, and users by numbered pages.

import type { OffsetQuery } from '../platform/offset-page.ts';
import type { Face, Presenter } from '../platform/presenter.ts';
import { presentMeta } from '../platform/requested-page.ts';
import type { FlatUser, UserEnvelope, UserOffsetPage, WrittenUser } from './form-1-schema.ts';
import type { UsersAtAsked, UsersAtRead } from './list-users-at.ts';
import type { User } from './user.ts';
import { presentUser } from './users.ts';

export interface FlatUsersQuery extends OffsetQuery {
  reference_id?: string | undefined;
  member?: string | undefined;
}

export const form1User: Presenter<unknown, User, UserEnvelope> = {
  present: (user) => ({ data: flatUser(user) }),
};

export const form1WrittenUser: Presenter<unknown, User, WrittenUser> = {
  present: (user) => ({ ...user, reference_id: user.external_ref }),
};

export const form1Users: Face<
  FlatUsersQuery,
  UsersAtAsked & { member?: string | undefined },
  UsersAtRead,
  UserOffsetPage
> = {
  asked: ({ page, per_page, reference_id, member }) => ({ page, perPage: per_page, reference: reference_id, member }),
  present: ({ users, total }, query) => ({
    data: users.map((row) => flatUser(presentUser(row))),
    meta: presentMeta(query, total),
  }),
};

/** Field by field: a user in detail has more than this form shows. */
const flatUser = (user: User): FlatUser => ({
  id: user.id,
  reference_id: user.external_ref,
  timezone: user.timezone,
  day_rule: user.day_rule,
  status: user.status,
  score_status: user.score_status,
  last_sync_at: user.last_sync_at,
  last_score_at: user.last_score_at,
  created_at: user.created_at,
  profile: user.profile,
  timezone_source: user.timezone_source,
});
