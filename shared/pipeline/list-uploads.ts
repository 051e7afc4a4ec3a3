// Lists what arrived for a user in the last 30 days, newest first.
import { formatTimestamp } from '../platform/time/time.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { getAuthorizedUserIncludingUnshared } from '../users/users.ts';
import type { UploadSummary } from './upload-summary.ts';
import { type UploadSelection, type UploadSummaryRow, uploadSummaryRows } from './upload-summary-rows.ts';

export async function listUploads(
  deps: Deps,
  caller: Caller,
  userId: string,
  selection: UploadSelection,
): Promise<{ uploads: UploadSummary[]; position: string | undefined }> {
  const { id } = await getAuthorizedUserIncludingUnshared(deps, caller, userId);
  const page = await uploadSummaryRows(deps.store).readPage(id, deps.clock.now(), selection);
  return { uploads: page.rows.map(presentUpload), position: page.position };
}

const presentUpload = (row: UploadSummaryRow): UploadSummary => ({
  batch_id: row.batch,
  received_at: formatTimestamp(row.receivedMs),
  device_id: row.device,
  kind: row.kind,
  records: row.failure ? null : row.accepted + row.rejected,
  accepted: row.accepted,
  rejected: row.failure ? null : row.rejected,
  failure: row.failure,
  rejections: row.rejections,
});
