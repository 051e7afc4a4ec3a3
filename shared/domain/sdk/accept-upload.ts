// An upload is stored before it is acknowledged; working it into the days comes after, and cannot be forgotten.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { SdkCaller } from '../../model/account.ts';
import type { UploadAccepted, UploadBody } from '../../model/upload.ts';
import type { Deps } from '../deps.ts';
import { findOrCreateDevice } from '../devices.ts';
import { wake } from '../wake.ts';
import { readUpload } from './read-upload.ts';
import { deadToken, mustHaveUser } from './sessions.ts';

/** Raw data is kept for a while and rarely read: speed matters more than the last per cent. */
const packing = { level: 4 };

export async function acceptUpload(deps: Deps, caller: SdkCaller, body: UploadBody): Promise<UploadAccepted> {
  const { userId, provider, scopes } = caller;
  const receivedMs = deps.clock.now();
  const { kept, accepted, rejected, timeZone, device } = readUpload(body, { scopes, nowMs: receivedMs });
  const content = JSON.stringify(kept);
  if (accepted === 0) {
    await mustHaveUser(deps, userId);
    return { batch_id: batchIdOf(provider, content), accepted, rejected };
  }
  const row = await findOrCreateDevice(deps, userId, {
    provider,
    connection: 'sdk',
    deviceType: device.type,
    model: device.model,
    name: device.name === '' ? null : device.name,
  });
  if (!row) throw deadToken();
  const batch = batchIdOf(row.id, content);
  if (!(await deps.store.batches.seen(userId, batch))) {
    const raw = gzipSync(content, packing);
    await deps.store.batches.accept({ user: userId, batch, device: row.id, receivedMs, timeZone, scopes, raw });
  }
  await wake(deps, 'ingest', { user_id: userId });
  return { batch_id: batch, accepted, rejected };
}

/** The same records for the same device have the same name, however often they are sent. */
const batchIdOf = (device: string, content: string): string =>
  `bat_${createHash('sha256').update(`${device}\n${content}`).digest('base64url').slice(0, 22)}`;
