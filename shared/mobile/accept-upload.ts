// An upload is stored before it is acknowledged; working it into the days comes after, and cannot be forgotten.

import { acceptFromPhone, batchIdOf } from '../pipeline/accept-records.ts';
import type { UploadAccepted } from '../providers/kit/upload-answer.ts';
import { uploadLimits } from '../providers/kit/upload-limits.ts';
import { countOf, rawUpload } from '../providers/phone/format.ts';
import { type ReadUpload, readUpload } from '../providers/phone/read-upload.ts';
import type { UploadBody } from '../providers/phone/upload.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { findOrCreateDevice } from '../users/devices.ts';
import { fillTimeZone } from '../users/fill-zone.ts';
import { withoutCrowds } from './crowded-days.ts';
import type { SdkCaller } from './sdk-caller.ts';
import { deadToken, deviceGuard, mustTakeUploads } from './sessions.ts';

export async function acceptUpload(deps: Deps, caller: SdkCaller, body: UploadBody): Promise<UploadAccepted> {
  mustBeFew(body);
  const { userId, provider, scopes } = caller;
  const receivedMs = deps.clock.now();
  const read = readUpload(body, { scopes, nowMs: receivedMs });
  if (read.accepted === 0) {
    await mustTakeUploads(deps, caller);
    return answer(batchIdOf(provider, JSON.stringify(read.kept)), read);
  }
  const { type, model, name } = read.device;
  const found = await findOrCreateDevice(
    deps,
    userId,
    { provider, connection: 'sdk', deviceType: type, model, name: name === '' ? null : name },
    deviceGuard(deps, caller),
  );
  if (!found) throw deadToken();
  const user = await fillTimeZone(deps, found.user, body.time_zone);
  const fitting = await withoutCrowds(deps, { user, device: found.device }, read);
  if (fitting.accepted === 0) return answer(batchIdOf(found.device.id, JSON.stringify(fitting.kept)), fitting);
  const upload = { userId, device: found.device, commands: found.commands, raw: rawUpload(fitting.kept), scopes };
  return answer(await acceptFromPhone(deps, upload, receivedMs), fitting);
}

function mustBeFew(body: UploadBody): void {
  if (countOf(body) > uploadLimits.records)
    throw new Failure(
      'payload_too_large',
      `An upload can have at most ${uploadLimits.records} records. Split it into several.`,
    );
}

const answer = (batch_id: string, { accepted, rejected }: ReadUpload): UploadAccepted => ({
  batch_id,
  accepted,
  rejected_count: rejected.count,
  rejected: rejected.first,
});
