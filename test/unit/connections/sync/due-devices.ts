import { randomBytes } from 'node:crypto';
import { makeId } from '../../../../shared/system/ids.ts';
import { jobs } from '../../../../shared/system/jobs.ts';
import { keys } from '../../../../shared/system/keys.ts';
import { pendingIndexKeys } from '../../../../shared/system/pending-kinds.ts';
import { noPendingScores } from '../../../../shared/users/pending-scores.ts';
import { deviceRow } from '../../../harness/stored-data.ts';
import { startMs, syncWorld } from '../../../harness/sync-world.ts';

/**
 * Connections to a provider that this deployment has no credentials for: each is read and
 * postponed.
 */
export async function withDevices(count: number) {
  const world = syncWorld();
  const devices = Array.from({ length: count }, (_, at) => ({
    user: makeId('user', startMs, randomBytes(10)),
    device: makeId('device', startMs, randomBytes(10)),
    sinceMs: startMs - 1_000 - (at % 3_600) * 1_000,
  }));
  const userFields = {
    ...{ account: 'acc', env: 'live', reference: null, timezone: null, timezoneSource: 'caller', dayRule: 'profile' },
    ...{
      profile: {},
      status: 'active',
      scoreGeneration: 1,
      mergeRule: 2,
      fence: 0,
      sessionsOpened: 0,
      lastUploads: {},
      scores: noPendingScores,
    },
    ...{ sharingEpoch: 0, unshared: null },
  };
  const unsetFields = {
    pendingConsent: null,
    grantExpiresMs: null,
    scopes: null,
    connectedMs: null,
    historyDays: null,
  };
  await world.table.batchWrite(
    devices.flatMap(({ user, device, sinceMs }) => {
      const link = { user, device, account: 'acc', env: 'live', provider: 'polar', origin: '', status: 'active' };
      const times = { createdMs: startMs, lastSyncMs: null, lastScoreMs: null, revision: 0 };
      return [
        { ...keys.connection(user, device), ...link, providerAccount: device, grant: 'sealed', ...unsetFields },
        { ...keys.device(user, device), ...deviceRow({ id: device }), ...pendingIndexKeys('sync', device, sinceMs) },
        { ...keys.user(user), id: user, ...userFields, ...times },
      ].map((item) => ({ kind: 'put' as const, item }));
    }),
  );
  return { world, devices };
}

export const listWokenDevices = (messages: readonly { body: unknown }[]): string[] =>
  messages.flatMap(({ body }) => {
    const job = jobs.connection.parse(body);
    return 'device_id' in job ? job.device_id : [];
  });
