// Stores quarantined uploads that could not be ingested, with their raw data, until an operator
// retries them.
import * as z from 'zod';
import { UploadKind } from '../catalog/upload-kinds.ts';
import { deleteKeys } from '../platform/large-items.ts';
import type { Key, Write } from '../platform/ports.ts';
import type { Environment } from '../system/caller.ts';
import { keys, lists, parseUserPartition, toSortableTimestamp, userPartition } from '../system/keys.ts';
import { repository } from '../system/store.ts';
import type { ReplayCommand, UploadCommand } from '../users/command-rows.ts';
import type { UserRow } from '../users/user-rows.ts';

const commonFields = {
  user: z.string(),
  id: z.string(),
  device: z.string(),
  receivedMs: z.number(),
  quarantinedMs: z.number(),
};
const Upload = z.object({
  ...commonFields,
  kind: z.literal('upload'),
  reason: z.string(),
  source: z.string(),
  format: z.number(),
  timeZone: z.string().nullable(),
  scopes: z.array(z.string()),
  chunks: z.number(),
  records: z.number(),
  from: z.string(),
  to: z.string(),
  via: UploadKind.exactOptional(),
});
const Replay = z.object({
  ...commonFields,
  kind: z.literal('replay'),
  reason: z.string(),
  uploads: z.array(z.string()),
  replayed: z.number(),
});
const QuarantinedUploadRow = z.discriminatedUnion('kind', [Upload, Replay]);
export type QuarantinedUploadRow = z.infer<typeof QuarantinedUploadRow>;

const IndexEntry = z.object({ pk: z.string(), listSk: z.string() });

/** The user of an upload. */
type UploadOwner = Pick<UserRow, 'id' | 'account' | 'env'>;

const listPrefix = (account: string, env: Environment): string => `${account}#${env}#`;

export const quarantinedUploadRows = repository(({ table }) => ({
  /** Replaces the upload's command. */
  buildQuarantine(
    { id: user, account, env }: UploadOwner,
    command: UploadCommand | ReplayCommand,
    quarantinedMs: number,
    reason: string,
  ): Write {
    const row = QuarantinedUploadRow.parse({ ...command, user, quarantinedMs, reason });
    return {
      kind: 'put',
      item: {
        ...row,
        ...keys.quarantinedUpload(user, command.id),
        listPk: lists.quarantine,
        listSk: `${listPrefix(account, env)}${toSortableTimestamp(quarantinedMs)}#${command.id}`,
      },
    };
  },
  /** The oldest of an environment, at most `limit`, and whether there are more. Reads only their keys. */
  async listByEnvironment(
    account: string,
    env: Environment,
    limit: number,
  ): Promise<{ uploads: { user: string; quarantinedMs: number }[]; isPart: boolean }> {
    const prefix = listPrefix(account, env);
    const { items, next } = await table.query({
      index: 'by-list',
      where: '#listPk = :list AND begins_with(#listSk, :prefix)',
      values: { list: lists.quarantine, prefix },
      limit,
    });
    const uploads = items.map((item) => {
      const { pk, listSk } = IndexEntry.parse(item);
      return { user: parseUserPartition(pk), quarantinedMs: Number.parseInt(listSk.slice(prefix.length), 10) };
    });
    return { uploads, isPart: next !== undefined };
  },
  /** Fails if another request has already released the upload. */
  buildRelease: (row: QuarantinedUploadRow): Write => ({
    kind: 'delete',
    key: keys.quarantinedUpload(row.user, row.id),
    condition: 'attribute_exists(#pk)',
  }),
  /**
   * Deletes the quarantined uploads of a removed device. Their raw data is deleted with the
   * device's raw data.
   */
  async removeByDevice(user: string, device: string): Promise<void> {
    const matches = table.queryAll({
      where: '#pk = :pk AND begins_with(#sk, :prefix)',
      values: { pk: userPartition(user), prefix: 'Q#' },
      consistent: true,
    });
    for await (const item of matches) {
      const row = QuarantinedUploadRow.parse(item);
      if (row.device === device) await deleteKeys(table, [keys.quarantinedUpload(user, row.id)]);
    }
  },
  /** Lists the quarantined uploads of all users, oldest first. */
  async listAll(): Promise<QuarantinedUploadRow[]> {
    const itemKeys: Key[] = [];
    const matches = table.queryAll({ index: 'by-list', where: '#listPk = :list', values: { list: lists.quarantine } });
    for await (const { pk, sk } of matches) itemKeys.push({ pk: String(pk), sk: String(sk) });
    const items = await table.batchGet(itemKeys, { consistent: true });
    return items.map((item) => QuarantinedUploadRow.parse(item)).sort((a, b) => a.quarantinedMs - b.quarantinedMs);
  },
}));
