// An upload is stored before it is acknowledged; working it into the days comes after, and cannot be forgotten.
import type { SdkCaller } from '../../model/account.ts';
import { mostRejectionsTold, type UploadAccepted, type UploadBody } from '../../model/upload.ts';
import type { Deps } from '../deps.ts';
import { findOrCreateDevice } from '../devices.ts';
import { acceptRecords, batchIdOf } from '../ingest/accept-records.ts';
import { readUpload } from './read-upload.ts';
import { deadToken, mustHaveUser } from './sessions.ts';

export async function acceptUpload(deps: Deps, caller: SdkCaller, body: UploadBody): Promise<UploadAccepted> {
  const { userId, provider, scopes } = caller;
  const receivedMs = deps.clock.now();
  const read = readUpload(body, { scopes, nowMs: receivedMs });
  const { kept, accepted, device } = read;
  const counts = {
    accepted,
    rejected_count: read.rejected.length,
    rejected: read.rejected.slice(0, mostRejectionsTold),
  };
  if (accepted === 0) {
    await mustHaveUser(deps, userId);
    return { batch_id: batchIdOf(provider, JSON.stringify(kept)), ...counts };
  }
  const row = await findOrCreateDevice(deps, userId, {
    provider,
    connection: 'sdk',
    deviceType: device.type,
    model: device.model,
    name: device.name === '' ? null : device.name,
  });
  if (!row) throw deadToken();
  const names = await acceptRecords(deps, userId, receivedMs, [{ deviceId: row.id, records: kept, scopes }]);
  if (!names) throw deadToken();
  const [batch_id = ''] = names;
  return { batch_id, ...counts };
}
