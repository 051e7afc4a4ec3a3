// Stores an upload before it is acknowledged. Processing it into days comes later, and cannot be
// forgotten.

import { acceptPhoneUpload, computeBatchId } from '../pipeline/accept-records.ts';
import { UploadFailure } from '../pipeline/upload-summary.ts';
import { uploadSummaryRows } from '../pipeline/upload-summary-rows.ts';
import { uploadLimits } from '../providers/kit/upload-limits.ts';
import type { UploadAccepted } from '../providers/kit/upload-response.ts';
import { countRecords, toRawUpload } from '../providers/phone/format.ts';
import { type ReadUpload, readUpload } from '../providers/phone/read-upload.ts';
import type { UploadBody } from '../providers/phone/upload.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { commitConditionally } from '../system/store.ts';
import { findOrCreateDevice } from '../users/devices.ts';
import { fillTimeZone } from '../users/fill-time-zone.ts';
import { userRows } from '../users/user-rows.ts';
import { rejectOverDailyLimit } from './daily-session-limit.ts';
import type { SdkCaller } from './sdk-caller.ts';
import { assertUploadsAllowed, deviceGuard, invalidToken } from './sdk-sessions.ts';

export async function acceptUpload(deps: Deps, caller: SdkCaller, body: UploadBody): Promise<UploadAccepted> {
  assertRecordLimit(body);
  const { userId, provider, scopes } = caller;
  const receivedMs = deps.clock.now();
  const read = readUpload(body, { scopes, nowMs: receivedMs });
  if (read.accepted === 0) {
    await assertUploadsAllowed(deps, caller);
    return toResponse(await recordRejectedUpload(deps, caller, receivedMs, provider, read), read);
  }
  const { type, model, name } = read.device;
  const target = await findOrCreateDevice(
    deps,
    userId,
    { provider, connection: 'sdk', deviceType: type, model, name: name === '' ? null : name },
    deviceGuard(deps, caller),
  );
  if (!target) throw invalidToken();
  const user = await fillTimeZone(deps, target.user, body.time_zone);
  const withinLimit = await rejectOverDailyLimit(deps, { user, device: target.device }, read);
  if (withinLimit.accepted === 0)
    return toResponse(await recordRejectedUpload(deps, caller, receivedMs, target.device.id, withinLimit), withinLimit);
  const upload = {
    userId,
    device: target.device,
    commands: target.commands,
    raw: toRawUpload(withinLimit.acceptedBody),
    scopes,
    rejected: countRejected(withinLimit),
  };
  return toResponse(await acceptPhoneUpload(deps, upload, receivedMs), withinLimit);
}

function assertRecordLimit(body: UploadBody): void {
  if (countRecords(body) > uploadLimits.records)
    throw new Failure(
      'payload_too_large',
      `An upload can have at most ${uploadLimits.records.toLocaleString('en')} records. Split it into several.`,
    );
}

const countRejected = ({ rejected }: ReadUpload) => ({ rejected: rejected.count, rejections: rejected.listCounts() });

/** Nothing of the upload is stored, only the numbers. Returns its id. */
async function recordRejectedUpload(
  deps: Deps,
  { userId, sessionId }: SdkCaller,
  receivedMs: number,
  source: string,
  read: ReadUpload,
): Promise<string> {
  const batch = computeBatchId(source, JSON.stringify(read.acceptedBody));
  if (read.rejected.count > 0)
    await commitConditionally(deps.store, [
      userRows(deps.store).buildNotDeletingCheck(userId),
      uploadSummaryRows(deps.store).buildPutRejected(userId, sessionId, {
        ...{ batch, device: null, receivedMs, kind: 'upload', accepted: 0, failure: null },
        ...countRejected(read),
      }),
    ]);
  return batch;
}

/** Lists an upload that failed as a whole among the user's uploads, so that the app's team finds it. */
export async function recordFailedUpload(
  deps: Deps,
  { userId, sessionId }: SdkCaller,
  failure: Failure,
): Promise<void> {
  const { data: recorded } = UploadFailure.safeParse(failure);
  if (!recorded) return;
  const { store, clock } = deps;
  await commitConditionally(store, [
    userRows(store).buildNotDeletingCheck(userId),
    uploadSummaryRows(store).buildPutRejected(userId, sessionId, {
      ...{ batch: null, device: null, receivedMs: clock.now(), kind: 'upload', accepted: 0 },
      ...{ rejected: 0, rejections: [], failure: recorded },
    }),
  ]);
}

const toResponse = (batch_id: string, { accepted, rejected }: ReadUpload): UploadAccepted => ({
  batch_id,
  accepted,
  rejected_count: rejected.count,
  rejected: rejected.first,
});
