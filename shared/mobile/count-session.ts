import type { Write } from '../platform/ports.ts';
import { keys } from '../system/keys.ts';
import type { UserRow } from '../users/user-rows.ts';

/** Each session that is opened makes the others of the user that are being opened begin again. */
export const maxSessionConflicts = 20;

/**
 * Part of the transaction that opens a session, in place of the check that the user is active. Also
 * fails if another session was opened since the user's row was read.
 */
export const buildCountSession = ({ id, sessionsOpened }: Pick<UserRow, 'id' | 'sessionsOpened'>): Write => ({
  kind: 'update',
  key: keys.user(id),
  update: 'SET #sessionsOpened = :next',
  condition: '#status = :active AND #sessionsOpened = :read',
  values: { active: 'active', read: sessionsOpened, next: sessionsOpened + 1 },
});
