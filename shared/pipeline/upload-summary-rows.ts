// Stores what arrived for a user in numbers, for 30 days. The raw data's rows have no order of time,
// and reading them would cost their bytes.
import * as z from 'zod';
import { UploadKind } from '../catalog/upload-kinds.ts';
import { deleteKeys } from '../platform/large-items.ts';
import type { Item, Key, Write } from '../platform/ports.ts';
import { RejectionCount } from '../providers/kit/rejection-tally.ts';
import { keys, uploadSummaryPrefix, userPartition } from '../system/keys.ts';
import { repository } from '../system/store.ts';
import { UploadFailure, uploadSummaryDays } from './upload-summary.ts';

const minuteMs = 60_000;
const retentionMs = uploadSummaryDays * 24 * 3_600_000;

const UploadSummaryRow = z.object({
  batch: z.string().nullable(),
  device: z.string().nullable(),
  receivedMs: z.number(),
  kind: UploadKind,
  accepted: z.number(),
  rejected: z.number().default(0),
  rejections: z.array(RejectionCount).default([]),
  failure: UploadFailure.nullable().default(null),
});
export type UploadSummaryRow = z.infer<typeof UploadSummaryRow>;

export interface UploadSelection {
  limit: number;
  /** Where the previous page ended. */
  position: string | undefined;
  /** Leaves out uploads that were accepted as a whole. */
  rejected: boolean;
}

/** How many rows a page of rejected uploads passes at most: about 50 read units. */
const searchedRows = 1_000;

const hasRejections = ({ rejected, failure }: UploadSummaryRow): boolean => rejected > 0 || failure !== null;

const StoredKey = z.object({ sk: z.string() });

export const uploadSummaryRows = repository(({ table }) => {
  const toItem = (key: Key, { rejected, rejections, failure, ...row }: UploadSummaryRow): Key & Item => ({
    ...key,
    ...row,
    ...(rejected > 0 ? { rejected, rejections } : {}),
    ...(failure ? { failure } : {}),
    ttl: Math.ceil((row.receivedMs + retentionMs) / 1000),
  });
  const rangeOf = (user: string, fromMs: number): Key => keys.uploadSummary(user, fromMs, '');

  return {
    async put(user: string, row: UploadSummaryRow): Promise<void> {
      await table.write({ kind: 'put', item: toItem(keys.uploadSummary(user, row.receivedMs, row.batch ?? ''), row) });
    },
    /**
     * For an upload of which nothing was stored. Each minute has two rows for a session, so that a
     * phone that repeats a mistake cannot fill the partition.
     */
    buildPutRejected(user: string, session: string, row: UploadSummaryRow): Write {
      const minuteStartMs = Math.floor(row.receivedMs / minuteMs) * minuteMs;
      const name = `${row.failure ? 'failed' : 'rejected'} ${session}`;
      return { kind: 'put', item: toItem(keys.uploadSummary(user, minuteStartMs, name), row) };
    },
    /**
     * Newest first, and none that has expired. A page of rejected uploads ends early, even empty,
     * after it has passed many that were not: `position` then says where to continue.
     */
    async readPage(
      user: string,
      nowMs: number,
      { limit, position, rejected: onlyRejected }: UploadSelection,
    ): Promise<{ rows: UploadSummaryRow[]; position: string | undefined }> {
      const first = rangeOf(user, nowMs - retentionMs);
      const page = await table.query({
        where: '#pk = :pk AND #sk BETWEEN :first AND :last',
        values: { pk: first.pk, first: first.sk, last: position ?? rangeOf(user, Number.MAX_SAFE_INTEGER).sk },
        newestFirst: true,
        limit: onlyRejected ? searchedRows : limit + 2,
        consistent: true,
      });
      const found: { sk: string; row: UploadSummaryRow }[] = page.items
        .map((item) => ({ ...StoredKey.parse(item), row: UploadSummaryRow.parse(item) }))
        .filter(({ sk, row }) => sk !== position && (!onlyRejected || hasRejections(row)));
      const shown = found.slice(0, limit);
      const isCut = found.length > limit;
      const last = isCut ? shown.at(-1) : page.items.at(-1);
      return {
        // Within a minute, the rows of rejected uploads are not in the order of time.
        rows: shown.map(({ row }) => row).toSorted((a, b) => b.receivedMs - a.receivedMs),
        position: last && (isCut || page.next !== undefined) ? StoredKey.parse(last).sk : undefined,
      };
    },
    /** Deletes those of a removed device. */
    async removeByDevice(user: string, device: string): Promise<void> {
      const removedKeys: Key[] = [];
      const found = table.queryAll({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk: userPartition(user), prefix: uploadSummaryPrefix },
        consistent: true,
        only: ['sk', 'device'],
      });
      for await (const item of found)
        if (item['device'] === device) removedKeys.push({ pk: userPartition(user), sk: StoredKey.parse(item).sk });
      await deleteKeys(table, removedKeys);
    },
  };
});
