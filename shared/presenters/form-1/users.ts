// A user in its envelope, and users by numbered pages.
import { presentUser } from '../../domain/users/users.ts';
import type { FlatUser, UserEnvelope, UserOffsetPage, WrittenUser } from '../../model/form-1/user.ts';
import type { OffsetQuery } from '../../model/offset-page.ts';
import type { User } from '../../model/user.ts';
import type { UsersAtAsked, UsersAtRead } from '../../reads/users.ts';
import { presentMeta } from '../asked-page.ts';
import type { Face, Presenter } from '../face.ts';

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

export const form1Users: Face<FlatUsersQuery, UsersAtAsked, UsersAtRead, UserOffsetPage> = {
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
