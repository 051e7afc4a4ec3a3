// One user in its own table, with a clock that advances with each reading and a queue that drops
// all messages. A test decides which workers run when the user is deleted.

import { MobileScope } from '../../../shared/catalog/mobile-scopes.ts';
import type { SdkProviderId } from '../../../shared/catalog/provider.ts';
import { deleteUser } from '../../../shared/erasure/delete-user.ts';
import { acceptUpload } from '../../../shared/mobile/accept-upload.ts';
import type { SdkCaller } from '../../../shared/mobile/sdk-caller.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import { UploadBody } from '../../../shared/providers/phone/upload.ts';
import type { Caller, Environment } from '../../../shared/system/caller.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { createUser } from '../../../shared/users/users.ts';
import type { TestClock } from '../clock.ts';
import { type MemoryDeps, memoryDeps, memoryStartMs } from '../memory-deps.ts';
import { type MemoryTable, memoryTable } from '../memory-table.ts';
import { openSdkSession } from '../sdk-session.ts';

export interface World {
  id: string;
  caller: Caller;
  table: MemoryTable;
  clock: TestClock;
  deps: Deps;
  /** The same domain on another table. */
  withTable(table: Table): Deps;
  /** The same user at the same time, in a copy of the table. */
  copy(): World;
  /** The session with the provider. Opens one if there is none. */
  phone(provider?: SdkProviderId): Promise<SdkCaller>;
  upload(device: object, records: object, provider?: SdkProviderId): Promise<void>;
  delete(): Promise<void>;
}

/** Stored data that identifies the user. */
export const personalData = { reference: 'who-it-is', deviceName: 'the watch of somebody' } as const;

const account = 'acc_01k9p3vvj8q4x7c2m5n6t8w0ya';

/** Later than all measurements in the tests. */
const startMs = memoryStartMs + 100 * 24 * 3_600_000;

export async function openWorld(env: Environment = 'live'): Promise<World> {
  const table = memoryTable();
  const caller: Caller = { kind: 'api_key', account, env, form: 2 };
  const { id } = await createUser(depsAt(table, startMs).deps, caller, {
    external_ref: personalData.reference,
    timezone: 'Europe/Berlin',
  });
  return createWorld(table, startMs, caller, id);
}

function depsAt(table: MemoryTable, nowMs: number): MemoryDeps {
  const there = memoryDeps({ table });
  there.clock.advance(nowMs - there.clock.now());
  return there;
}

function createWorld(table: MemoryTable, nowMs: number, caller: Caller, id: string): World {
  const { deps, clock, withTable } = depsAt(table, nowMs);
  const { env } = caller;
  const world: World = {
    id,
    caller,
    table,
    clock,
    deps,
    withTable,
    copy: () => createWorld(table.copy(), clock.now(), caller, id),
    async phone(provider = 'apple_health') {
      const sessionId = await openSdkSession(deps, { id, account, env }, provider);
      return {
        kind: 'sdk_session',
        account,
        env,
        form: 2,
        userId: id,
        sessionId,
        provider,
        scopes: MobileScope.options,
        sharingEpoch: 0,
      };
    },
    async upload(device, records, provider) {
      clock.advance(1_000);
      const body = UploadBody.parse({ time_zone: 'UTC', device, ...records });
      const response = await acceptUpload(deps, await world.phone(provider), body);
      if (response.rejected.length > 0) throw new Error(`rejected: ${JSON.stringify(response.rejected)}`);
    },
    async delete() {
      await deleteUser(deps, caller, id);
    },
  };
  return world;
}
