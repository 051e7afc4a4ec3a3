// What a user still waits for: data that is on its way, days that follow from it, and their scores.

import { type ConnectionSnapshot, syncRows } from '../../shared/connections/sync-rows.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { toSortableTimestamp } from '../../shared/system/keys.ts';
import type { Command } from '../../shared/users/command-rows.ts';
import { presentDevices } from '../../shared/users/devices.ts';
import { seedRows } from '../../shared/users/seed-rows.ts';
import {
  activeDevices,
  readUserContextIncludingUnshared,
  readUserContextWithCommands,
  type UserContext,
} from '../../shared/users/user-context.ts';
import type { UserRow } from '../../shared/users/user-rows.ts';

export interface PendingData {
  user: UserRow;
  /** In words; empty when everything that was sent has arrived and is scored. */
  waitingFor: string[];
}

/**
 * Returns undefined if the user does not exist. Data moves from the sandbox to a connection, from
 * there to a command, and from there to days and scores. They are read in that order, so nothing is
 * missed that moves on in the meantime.
 */
export async function readPendingData(deps: Deps, userId: string): Promise<PendingData | undefined> {
  const isSeedPending = await seedRows(deps.store).isPending(userId);
  const before = await readUserContextIncludingUnshared(deps, userId);
  if (!before) return undefined;
  const connections = await listConnectionWork(deps, before);
  const { userContext, commands, unreadable } = await readUserContextWithCommands(deps, userId, 'oldest');
  if (!userContext) return undefined;
  const { user } = userContext;
  const commandCount = commands.length + unreadable.length;
  return {
    user,
    waitingFor: [
      ...(isSeedPending ? ['the data of the sandbox'] : []),
      ...connections,
      ...(commandCount > 0 ? [describeCommands(commands, commandCount)] : []),
      ...(expectsData(user) && !isSeedPending && commandCount === 0 ? ['the first data'] : []),
      ...(areScoresPending(user) ? ['scores'] : []),
    ],
  };
}

/** An `empty` sandbox user has no data unless somebody sends some. */
const expectsData = ({ lastSyncMs, profile }: UserRow): boolean =>
  lastSyncMs === null && profile.sandbox_persona !== 'empty';

/** A poll that is due does not count: it may bring nothing. */
async function listConnectionWork(deps: Deps, { user, devices }: UserContext): Promise<string[]> {
  const cloudDevices = activeDevices(devices).filter(({ connection }) => connection === 'cloud');
  return (
    await Promise.all(
      cloudDevices.map(async (device) => {
        if (device.sync === null) return `the first sync of ${device.provider}`;
        if (device.sync.state === 'backfilling') {
          const [progress] = presentDevices([device]);
          return `the history of ${device.provider} (${Math.round((progress?.sync?.done ?? 0) * 100)}%)`;
        }
        const snapshot = await syncRows(deps.store).read(user.id, device.id);
        return isInboxDue(snapshot, deps.clock.now()) ? `new data of ${device.provider}` : [];
      }),
    )
  ).flat();
}

const isInboxDue = (snapshot: ConnectionSnapshot | undefined, nowMs: number): boolean =>
  snapshot !== undefined &&
  snapshot.connection.inbox.length > 0 &&
  snapshot.connection.dueSk !== undefined &&
  snapshot.connection.dueSk < toSortableTimestamp(nowMs + 1);

function describeCommands(commands: readonly Command[], count: number): string {
  const isUploads = commands.length === count && commands.every(({ kind }) => kind === 'upload');
  if (!isUploads) return 'changes that are being processed';
  return `${count} ${count === 1 ? 'upload that is' : 'uploads that are'} being processed`;
}

/** Changes of scores that are throttled, and so have a due time, are not waited for. */
const areScoresPending = ({ scores, lastScoreMs }: UserRow): boolean =>
  scores.days.some(({ dueMs }) => dueMs === 0 || lastScoreMs === null);
