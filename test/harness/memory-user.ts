// A user with a phone on an in-memory table. Uploads are accepted as over the API, and the test
// runs the user's writer.

import { MobileScope } from '../../shared/catalog/mobile-scopes.ts';
import { decodeCanonicalDay } from '../../shared/measurements/codec/canonical-day.ts';
import { dayRows } from '../../shared/measurements/rows/day-rows.ts';
import { acceptUpload } from '../../shared/mobile/accept-upload.ts';
import type { SdkCaller } from '../../shared/mobile/sdk-caller.ts';
import { UploadBody } from '../../shared/providers/phone/upload.ts';
import type { Caller } from '../../shared/system/caller.ts';
import { createUser } from '../../shared/users/users.ts';
import { type MemoryDeps, memoryDeps } from './memory-deps.ts';
import type { MemoryTable } from './memory-table.ts';
import { readEvents } from './outbox.ts';
import { openSdkSession } from './sdk-session.ts';

export interface MemoryUser {
  id: string;
  world: MemoryDeps;
  table: MemoryTable;
  caller: Caller;
  phone: SdkCaller;
  stepsOn(date: string): Promise<number | undefined>;
  /** Type, metrics and days of the user's events, oldest first. */
  events(): object[];
}

const [account, env] = ['acc_of_a_person', 'live'] as const;

export async function createMemoryUser(timezone: string | null = 'UTC'): Promise<MemoryUser> {
  const world = memoryDeps();
  const { deps, table } = world;
  const caller: Caller = { kind: 'api_key', account, env, form: 2 };
  const { id } = await createUser(deps, caller, { timezone });
  const sessionId = await openSdkSession(deps, { id, account, env }, 'apple_health');
  const scopes = MobileScope.options;
  const provider = 'apple_health';
  return {
    id,
    world,
    table,
    caller,
    phone: { kind: 'sdk_session', account, env, form: 2, userId: id, sessionId, provider, scopes, sharingEpoch: 0 },
    async stepsOn(date) {
      const day = (await dayRows(deps.store).readCanonical(id, [date])).get(date);
      return day && decodeCanonicalDay(day.packed).get('steps')?.value;
    },
    events: () =>
      readEvents(table.rows())
        .filter(({ user, type }) => user === id && !type.startsWith('user.'))
        .map(({ type, metrics, more }) => ({ type, metrics, ...more })),
  };
}

export const watch = { name: 'Watch', model: 'W1', type: 'wrist' } as const;

/** Accepts an upload with this number of steps for a day. */
export async function acceptStepsUpload(
  { world, phone }: Pick<MemoryUser, 'world' | 'phone'>,
  date: string,
  value: number,
  { deps = world.deps, device = watch }: { deps?: MemoryDeps['deps']; device?: object } = {},
): Promise<string> {
  const daily = [{ date, metric: 'steps', value, unit: 'count' }];
  const body = UploadBody.parse({ time_zone: 'UTC', device, daily });
  return (await acceptUpload(deps, phone, body)).batch_id;
}
