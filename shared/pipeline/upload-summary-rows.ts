// Stores what was rejected of the batches of a user in numbers, for 30 days. A batch of which nothing
// was rejected has no row, so an ordinary upload costs no further write. The raw data's rows have no
// order of time, and reading them would cost their bytes.
import * as z from 'zod';
import { UploadKind } from '../catalog/upload-kinds.ts';
import { deleteKeys } from '../platform/large-items.ts';
import type { Item, Key, Write } from '../platform/ports.ts';
import { RejectionCount } from '../providers/kit/rejection-tally.ts';
import { keys, uploadSummaryPrefix, userPartition } from '../system/keys.ts';
import { repository } from '../system/store.ts';
import { uploadSummaryDays } from './upload-summary.ts';

const minuteMs = 60_000;
const retentionMs = uploadSummaryDays * 24 * 3_600_000;

const UploadSummaryRow = z.object({
  batch: z.string(),
  device: z.string().nullable(),
  receivedMs: z.number(),
  kind: UploadKind,
  accepted: z.number(),
  rejected: z.number().default(0),
  rejections: z.array(RejectionCount).default([]),
});
export type UploadSummaryRow = z.infer<typeof UploadSummaryRow>;

const StoredKey = z.object({ sk: z.string() });

export const uploadSummaryRows = repository(({ table }) => {
  const toItem = (key: Key, { rejected, rejections, ...row }: UploadSummaryRow): Key & Item => ({
    ...key,
    ...row,
    ...(rejected > 0 ? { rejected, rejections } : {}),
    ttl: Math.ceil((row.receivedMs + retentionMs) / 1000),
  });
  const rangeOf = (user: string, fromMs: number): Key => keys.uploadSummary(user, fromMs, '');

  return {
    async put(user: string, row: UploadSummaryRow): Promise<void> {
      await table.write({ kind: 'put', item: toItem(keys.uploadSummary(user, row.receivedMs, row.batch), row) });
    },
    /**
     * For an upload of which nothing was accepted. Each minute has one row, the last one, so that a
     * phone that repeats a mistake cannot fill the partition.
     */
    buildPutRejected: (user: string, row: UploadSummaryRow): Write => ({
      kind: 'put',
      item: toItem(keys.uploadSummary(user, Math.floor(row.receivedMs / minuteMs) * minuteMs, 'rejected'), row),
    }),
    /** Newest first, and none that has expired. `position` is where the previous page ended. */
    async readPage(
      user: string,
      nowMs: number,
      limit: number,
      position: string | undefined,
    ): Promise<{ rows: UploadSummaryRow[]; position: string | undefined }> {
      const first = rangeOf(user, nowMs - retentionMs);
      const page = await table.query({
        where: '#pk = :pk AND #sk BETWEEN :first AND :last',
        values: { pk: first.pk, first: first.sk, last: position ?? rangeOf(user, Number.MAX_SAFE_INTEGER).sk },
        newestFirst: true,
        limit: limit + 2,
        consistent: true,
      });
      const items = page.items.filter(({ sk }) => sk !== position);
      const shown = items.slice(0, limit);
      const hasMore = items.length > limit || page.next !== undefined;
      const last = shown.at(-1);
      return {
        rows: shown.map((item) => UploadSummaryRow.parse(item)),
        position: hasMore && last ? StoredKey.parse(last).sk : undefined,
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
