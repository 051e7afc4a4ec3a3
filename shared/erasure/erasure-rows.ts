// The remaining rows of a deleted user, and the counts of erased rows.
import * as z from 'zod';
import { writeConditionally } from '../platform/conditional-write.ts';
import type { Item, Key, Write } from '../platform/ports.ts';
import { buildSetClause } from '../platform/set-clause.ts';
import { workerWriteDeadlineMs } from '../platform/write-deadline.ts';
import { Environment } from '../system/caller.ts';
import { isOutboxKey, keys, mobileTokenPointer, providerAccountPointer, userPartition } from '../system/keys.ts';
import { madeCredentialPointer } from '../system/made-credential-keys.ts';
import { messageGraceMs, pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';

const ErasureItem = z.object({
  account: z.string(),
  env: Environment,
  status: z.literal('deleting'),
  erased: z.record(z.string(), z.number()).default({}),
  /**
   * The rows of the last step, and what it left of the step before. They are in the counts, whether
   * or not they have been erased yet.
   */
  countedKeys: z.array(z.string()).default([]),
  steps: z.number().default(0),
});
export type PendingErasure = z.infer<typeof ErasureItem>;
const RemainingRow = z.object({ pk: z.string(), sk: z.string(), dueSk: z.string().optional() });
const uploadCommandPrefix = '!UPLOAD#';
const UploadCommand = z.object({ id: z.string(), receivedMs: z.number(), chunks: z.number() });
const FirstChunk = z.object({ receivedMs: z.number() });

/** The kinds that a receipt counts, by prefix of the sort key. */
const receiptKinds: readonly (readonly [prefix: string, kind: string])[] = [
  ['@DEVICE#', 'devices'],
  ['!DEVICE#', 'devices'],
  ['GONE#', 'devices'],
  ['SDK#', 'sdk_sessions'],
  ['C#', 'connections'],
  ['LINK#', 'connect_links'],
  ['MT#', 'mobile_tokens'],
  ['MEMBER', 'memberships'],
  ['INVITED#', 'invitations'],
  ['R#', 'raw_uploads'],
  ['UP#', 'upload_summaries'],
  ['T#', 'sample_days'],
  ['A#', 'open_samples'],
  ['N#', 'normalized_days'],
  ['D#', 'canonical_days'],
  ['Z#', 'sleep_days'],
  ['W#', 'workout_days'],
  ['H#', 'heart_rate_traces'],
  ['S#', 'score_days'],
];
const classifySortKey = (sk: string): string => receiptKinds.find(([prefix]) => sk.startsWith(prefix))?.[1] ?? 'other';

export const erasureRows = repository(({ table }) => {
  async function findPending(user: string): Promise<PendingErasure | undefined> {
    const item = await table.get(keys.user(user), { consistent: true });
    return item === undefined ? undefined : ErasureItem.safeParse(item).data;
  }

  /**
   * Whether the raw data of the upload is stored. Several chunks may be partly those of an earlier
   * upload with the same content.
   */
  async function isComplete(user: string, item: Item): Promise<boolean> {
    const command = UploadCommand.safeParse(item).data;
    if (command?.chunks !== 1) return false;
    const first = await table.get(keys.rawChunk(user, command.id, 0), { consistent: true });
    return FirstChunk.safeParse(first).data?.receivedMs === command.receivedMs;
  }

  /** The sweep finds the command again once it is no longer recent. */
  async function postpone(user: string, { pk, sk, dueSk }: z.infer<typeof RemainingRow>): Promise<void> {
    const receivedMs = Number.parseInt(sk.slice(uploadCommandPrefix.length), 10);
    const dueMs = receivedMs + workerWriteDeadlineMs - messageGraceMs;
    const values = pendingIndexKeys('user', user, dueMs);
    if (dueSk === values.dueSk) return;
    await writeConditionally(table, {
      ...{ kind: 'update', key: { pk, sk }, update: buildSetClause(values), values },
      condition: 'attribute_exists(#pk)',
    });
  }

  return {
    /** Returns undefined when the user is not being deleted, or has been deleted. */
    findPending,
    /**
     * Lists some of the user's rows, except for the user itself, events that wait for the feed's
     * writer, and uploads that have arrived since `sinceMs` and whose raw data is not complete: it may
     * still arrive.
     */
    async listRemainingKeys(user: string, limit: number, sinceMs: number): Promise<Key[]> {
      const foundKeys: Key[] = [];
      const { sk: userSortKey } = keys.user(user);
      const { sk: firstRecentSortKey } = keys.uploadCommand(user, sinceMs, '');
      const rows = table.queryAll({
        where: '#pk = :pk',
        values: { pk: userPartition(user) },
        limit: limit + 1,
        consistent: true,
        only: ['pk', 'sk', 'dueSk', 'id', 'receivedMs', 'chunks'],
      });
      for await (const item of rows) {
        const row = RemainingRow.parse(item);
        const key = { pk: row.pk, sk: row.sk };
        const isRecent = key.sk.startsWith(uploadCommandPrefix) && key.sk >= firstRecentSortKey;
        const mayArrive = isRecent && !(await isComplete(user, item));
        if (mayArrive) await postpone(user, row);
        if (key.sk !== userSortKey && !mayArrive && !isOutboxKey(key)) foundKeys.push(key);
        if (foundKeys.length === limit) break;
      }
      return foundKeys;
    },
    /**
     * Adds rows to the receipt, each only once, even when a step is repeated. The rows must have
     * been read after `before` was. Returns false when another worker has counted since then, and
     * may have erased them.
     */
    async recordCounts(user: string, before: PendingErasure, rows: readonly Key[]): Promise<boolean> {
      const alreadyCounted = new Set(before.countedKeys);
      const uncounted = rows.map(({ sk }) => sk).filter((sk) => !alreadyCounted.has(sk));
      if (uncounted.length === 0) return true;
      const counts = { ...before.erased };
      for (const sk of uncounted) counts[classifySortKey(sk)] = (counts[classifySortKey(sk)] ?? 0) + 1;
      // Rows that a late writer inserted ahead may have pushed counted rows out of this step.
      const last = rows.at(-1)?.sk ?? '';
      const countedKeys = [...rows.map(({ sk }) => sk), ...before.countedKeys.filter((sk) => sk > last)];
      const { applied } = await writeConditionally(table, {
        kind: 'update',
        key: keys.user(user),
        update: 'SET #erased = :counts, #countedKeys = :countedKeys, #steps = :next',
        condition: `#status = :deleting AND ${before.steps === 0 ? 'attribute_not_exists(#steps)' : '#steps = :read'}`,
        values: {
          counts,
          countedKeys,
          next: before.steps + 1,
          deleting: 'deleting',
          ...(before.steps === 0 ? {} : { read: before.steps }),
        },
      });
      return applied;
    },
    /**
     * Mobile tokens, provider accounts and what colleagues made for the user are stored outside the
     * user's partition, so they are deleted before the rows that point to them.
     */
    async erase(rows: readonly Key[]): Promise<void> {
      const tokens = rows.flatMap(({ sk }) => mobileTokenPointer.parseHash(sk) ?? []);
      await table.batchWrite(tokens.map((hash) => ({ kind: 'delete', key: keys.mobileToken(hash) })));
      const accounts = rows.flatMap((row) => providerAccountPointer.parseTarget(row) ?? []);
      await table.batchWrite(accounts.map((key) => ({ kind: 'delete', key })));
      const made = rows.flatMap((row) => madeCredentialPointer.parseTarget(row) ?? []);
      await table.batchWrite(made.map((key) => ({ kind: 'delete', key })));
      // A command leads a later run to its raw data, so it goes last.
      const isCommand = ({ sk }: Key): boolean => sk.startsWith(uploadCommandPrefix);
      const ordered = [...rows.filter((key) => !isCommand(key)), ...rows.filter(isCommand)];
      await table.batchWrite(ordered.map((key) => ({ kind: 'delete', key })));
    },
    buildFinish: (user: string): Write => ({
      kind: 'delete',
      key: keys.user(user),
      condition: '#status = :deleting',
      values: { deleting: 'deleting' },
    }),
  };
});
