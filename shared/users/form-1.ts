// Renders a user in its envelope, and users in numbered pages.

import { type OffsetQuery, presentPageMeta } from '../platform/offset-page.ts';
import type { Presenter, Renderer } from '../platform/presenter.ts';
import type { FlatUser, UserEnvelope, UserOffsetPage, WrittenUser } from './form-1-schema.ts';
import type { UsersAtOffsetRequest, UsersAtOffsetResult } from './list-users-at-offset.ts';
import type { User } from './user.ts';
import { presentUser } from './users.ts';

export interface FlatUsersQuery extends OffsetQuery {
  reference_id?: string | undefined;
  member?: string | undefined;
}

export const form1User: Renderer<unknown, User, UserEnvelope> = {
  render: (user) => ({ data: presentFlatUser(user) }),
};

export const form1WrittenUser: Renderer<unknown, User, WrittenUser> = {
  render: (user) => ({ ...user, reference_id: user.external_ref }),
};

export const form1Users: Presenter<
  FlatUsersQuery,
  UsersAtOffsetRequest & { member?: string | undefined },
  UsersAtOffsetResult,
  UserOffsetPage
> = {
  parse: ({ page, per_page, reference_id, member }) => ({ page, perPage: per_page, reference: reference_id, member }),
  // Colleagues get Form 2, so nothing is left out here.
  render: ({ users, total }, query) => ({
    data: users.map((row) => presentFlatUser(presentUser(row, {}))),
    meta: presentPageMeta(query, total),
  }),
};

/** Copied field by field, because a detailed user has more fields than this form returns. */
const presentFlatUser = (user: User): FlatUser => ({
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
