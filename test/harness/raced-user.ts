// One user for races between the writer and callers. The clock only advances with operations, and
// all messages are lost.
import { makeDeps, systemRandom } from '../../functions/runtime/deps.ts';
import { userWorker } from '../../functions/workers/write-user.ts';
import { MobileScope } from '../../shared/catalog/mobile-scopes.ts';
import type { SdkProviderId } from '../../shared/catalog/provider.ts';
import { acceptUpload } from '../../shared/mobile/accept-upload.ts';
import type { Item, Table } from '../../shared/platform/ports.ts';
import { UploadBody, type UploadDevice } from '../../shared/providers/phone/upload.ts';
import type { Caller } from '../../shared/system/caller.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { userPartition } from '../../shared/system/keys.ts';
import { readUserContext } from '../../shared/users/user-context.ts';
import { createUser } from '../../shared/users/users.ts';
import { runWriterUntilIdle } from './run-writer.ts';
import { openSdkSession } from './sdk-session.ts';
import { seededRandom } from './seeded-random.ts';

export type TestDevice = UploadDevice & { provider: SdkProviderId };
export type RecordLists = Partial<Record<'samples' | 'daily' | 'sleep' | 'workouts', object[]>> & {
  /** The phone's time zone. Defaults to UTC. */
  time_zone?: string;
};

export interface RacedUser {
  id: string;
  caller: Caller;
  table: Table;
  deps: Deps;
  /** The same user at the same time, in a copy of its table. */
  copyTo(table: Table): RacedUser;
  /** The same domain on another table. With `late`, its clock is ten minutes ahead. */
  withTable(table: Table, late?: boolean): Deps;
  /** Each upload is one second later than the previous one. */
  upload(gadget: TestDevice, records: RecordLists, deps?: Deps): Promise<void>;
  /** Processes one message as the queue delivers it. If it throws, `settle` delivers it again. */
  write(deps: Deps, receives?: number): Promise<void>;
  /** The errors that writers threw. */
  writerErrors: unknown[];
  advance(ms: number): void;
  deviceId(gadget: TestDevice): Promise<string>;
  /** Processes pending work until there is none. */
  settle(): Promise<void>;
}

/** The owner of the users. It is not stored, because workers never read it. */
const caller: Caller = { kind: 'api_key', account: 'acc_of_the_races', env: 'live', form: 2 };

const secondMs = 1000;
/** Longer than the redelivery of any message takes. */
const beyondRedeliveryMs = 600 * secondMs;
const maxRounds = 10;

/**
 * Records with an offset count by that offset, so that a correction can move them to another day.
 */
export async function createRacedUser(table: Table, timezone: string | null): Promise<RacedUser> {
  const deps = depsWithTable(table, () => Date.now());
  const { id } = await createUser(deps, caller, { timezone, day_rule: 'recorded' });
  return makeRacedUser(table, id, Date.now());
}

const depsWithTable = (table: Table, now: () => number, random = systemRandom): Deps =>
  makeDeps({
    table,
    random,
    queue: { send: async () => {}, sendAll: async () => {}, postpone: async () => {} },
    bus: { publish: async () => {} },
    rootSecret: 'a root secret of more than 32 characters',
    clock: { now },
    log: () => {},
    deployment: { kind: 'local' },
  });

/** A race draws the same values each time, so that equal outcomes compare as equal. */
function makeRacedUser(table: Table, id: string, startMs: number, copy = 0): RacedUser {
  let nowMs = startMs;
  let workers = 0;
  const withTable = (own: Table, late = false): Deps =>
    depsWithTable(own, () => nowMs + (late ? beyondRedeliveryMs : 0), seededRandom(`${id} ${copy} ${workers++}`));
  const deps = withTable(table);
  const writerErrors: unknown[] = [];
  const isDue = async (): Promise<boolean> =>
    (await readPartition(table, id)).some(({ duePk }) => String(duePk).startsWith('DUE#user#'));

  return {
    id,
    caller,
    table,
    deps,
    copyTo: (other) => makeRacedUser(other, id, nowMs, copy + 1),
    withTable,
    writerErrors,
    advance(ms) {
      nowMs += ms;
    },
    async upload({ provider, ...device }, records, own = deps) {
      nowMs += secondMs;
      const { account, env } = caller;
      const sessionId = await openSdkSession(deps, { id, account, env }, provider);
      const scopes = MobileScope.options;
      const response = await acceptUpload(
        own,
        { kind: 'sdk_session', account, env, form: 2, userId: id, sessionId, provider, scopes, sharingEpoch: 0 },
        UploadBody.parse({ time_zone: 'UTC', device, ...records }),
      );
      if (response.rejected.length > 0) throw new Error(`rejected: ${JSON.stringify(response.rejected)}`);
    },
    write: (own, receives = 1) =>
      userWorker(own)({ user_id: id }, { receives }).catch((error: unknown) => void writerErrors.push(error)),
    async deviceId({ provider, model }) {
      const userContext = await readUserContext(deps, id);
      const device = userContext?.devices.find((each) => each.provider === provider && each.model === model);
      if (!device) throw new Error(`there is no ${provider} ${model}`);
      return device.id;
    },
    async settle() {
      for (let rounds = 0; rounds < maxRounds; rounds++) {
        if (!(await isDue())) return;
        nowMs += 2 * beyondRedeliveryMs;
        await runWriterUntilIdle(deps, id);
      }
      throw new Error(`after ${maxRounds} rounds work is still pending`);
    },
  };
}

export async function readPartition(table: Table, userId: string): Promise<Item[]> {
  const rows: Item[] = [];
  const items = table.queryAll({ where: '#pk = :pk', values: { pk: userPartition(userId) }, consistent: true });
  for await (const row of items) rows.push(row);
  return rows;
}
