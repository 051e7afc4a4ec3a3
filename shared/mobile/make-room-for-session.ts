// Bounds the sessions of a user: each has its own rate limit, so their number limits them together.
// An app that opens one at every start must not lock the user out, so those make room that no phone
// has used yet, and then those that were unused the longest.
import type { Write } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import { keys } from '../system/keys.ts';
import { type SdkSessionRow, sdkSessionRows } from './sdk-session-rows.ts';

export const maxSdkSessions = 10;
/** One transaction takes up to 100 writes. */
const maxEndedTogether = 20;

/**
 * Builds the writes that end sessions, as part of opening one. The transaction must also count the
 * session on the user's row that was read before.
 */
export async function buildMakeRoom({ store }: Pick<Deps, 'store'>, opened: SdkSessionRow): Promise<Write[]> {
  const sessions = await sdkSessionRows(store).listByUser(opened.user);
  return sessions
    .filter((row) => !isSameInstallation(row, opened))
    .toSorted((a, b) => (b.lastSeenMs ?? 0) - (a.lastSeenMs ?? 0) || b.createdMs - a.createdMs)
    .slice(maxSdkSessions - 1)
    .slice(-maxEndedTogether)
    .flatMap((row) => sdkSessionRows(store).buildRemove(row));
}

/**
 * A concurrent request opened this session. The count makes this transaction fail, and the retry
 * recovers the session.
 */
const isSameInstallation = (row: SdkSessionRow, opened: SdkSessionRow): boolean => {
  const name = nameInstallation(opened);
  return name !== undefined && nameInstallation(row) === name;
};

const nameInstallation = ({ user, installationId, provider }: SdkSessionRow): string | undefined =>
  installationId === null ? undefined : keys.installation(user, installationId, provider).sk;
