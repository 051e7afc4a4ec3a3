// Finds people by what a colleague types: an id, the beginning of a reference, or a member's whole
// e-mail address. There is no search within words, so the cost does not depend on how many people
// there are.
import * as z from 'zod';
import { UnicodeText } from '../platform/unicode-text.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { UserId } from '../system/ids.ts';
import { foldReference, referenceRows } from './reference-rows.ts';
import { User } from './user.ts';
import { type UserRow, userRows } from './user-rows.ts';
import { presentUser } from './users.ts';

export const maxSearchResults = 20;

export const SearchText = UnicodeText.min(1)
  .max(255)
  .meta({
    description:
      "A user's id, the beginning of an `external_ref` in upper or lower case, or the whole e-mail address of a member.",
    examples: ['member-47'],
  });

const { id, external_ref, status, last_sync_at, created_at } = User.shape;
export const FoundUser = z
  .object({
    id,
    external_ref,
    status,
    last_sync_at,
    created_at,
    matched: z.enum(['id', 'external_ref', 'email']).meta({ description: 'What matched.', examples: ['external_ref'] }),
  })
  .meta({ id: 'FoundUser', description: 'A person that matches a search, without a profile.' });
export type FoundUser = z.infer<typeof FoundUser>;

export interface UserSearch {
  text: string;
  /** Looks up the user of a member with this e-mail address. */
  userOfEmail(email: string): Promise<string | undefined>;
}

export async function searchUsers(
  { store }: Deps,
  { account, env }: Caller,
  { text, userOfEmail }: UserSearch,
): Promise<FoundUser[]> {
  if (UserId.safeParse(text).success) {
    const row = await userRows(store).findById(text);
    const isOwn = row?.account === account && row.env === env && row.status !== 'deleting';
    return isOwn ? [presentFound(row, 'id')] : [];
  }
  const [userByEmail, usersByReference] = await Promise.all([
    text.includes('@') ? userOfEmail(text) : undefined,
    referenceRows(store).listUsersByPrefix(account, env, text, maxSearchResults),
  ]);
  const ids = [...new Set([...(userByEmail === undefined ? [] : [userByEmail]), ...usersByReference])];
  const wanted = ids.slice(0, maxSearchResults);
  const rows = new Map((await userRows(store).findByIds(wanted)).map((row) => [row.id, row]));
  const folded = foldReference(text);
  return wanted.flatMap((userId) => {
    const row = rows.get(userId);
    if (!row || row.account !== account || row.env !== env) return [];
    if (userId === userByEmail) return [presentFound(row, 'email')];
    // The index may be a moment behind a changed reference.
    const matches = row.reference !== null && foldReference(row.reference).startsWith(folded);
    return matches ? [presentFound(row, 'external_ref')] : [];
  });
}

function presentFound(row: UserRow, matched: FoundUser['matched']): FoundUser {
  const { id, external_ref, status, last_sync_at, created_at } = presentUser(row, {});
  return { id, external_ref, status, last_sync_at, created_at, matched };
}
