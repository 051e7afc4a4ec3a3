import { randomBytes } from 'node:crypto';
import { makeId } from '../../../../shared/model/ids.ts';
import { jobs } from '../../../../shared/model/jobs.ts';
import { due } from '../../../../shared/store/due.ts';
import { keys } from '../../../../shared/store/keys.ts';
import { startMs, syncWorld } from '../../../harness/sync-world.ts';

/** Connections whose users are gone: each is claimed, looked at and put off. */
export async function withDevices(count: number) {
  const world = syncWorld();
  const devices = Array.from({ length: count }, (_, at) => ({
    user: makeId('user', startMs, randomBytes(10)),
    device: makeId('device', startMs, randomBytes(10)),
    sinceMs: startMs - 1_000 - (at % 3_600) * 1_000,
  }));
  await world.table.batchWrite(
    devices.map(({ user, device, sinceMs }) => ({
      kind: 'put',
      item: {
        ...keys.connection(user, device),
        ...{ user, device, account: 'acc', env: 'live', provider: 'oura', origin: '', status: 'active' },
        ...{ vendorAccount: device, grant: 'sealed', history: null },
        ...due('sync', device, sinceMs),
      },
    })),
  );
  return { world, devices };
}

export const woken = (waiting: readonly { body: unknown }[]): string[] =>
  waiting.flatMap(({ body }) => {
    const job = jobs.connection.parse(body);
    return 'device_id' in job ? job.device_id : [];
  });
