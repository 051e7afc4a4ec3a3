// One user that two workers race over: with a clock that stands still, messages that are all lost, and what a caller reads in the end.
import { createHash } from 'node:crypto';
import { rebuild } from '../../shared/domain/consolidation/rebuild.ts';
import type { Deps } from '../../shared/domain/deps.ts';
import { ingestUser } from '../../shared/domain/ingest/ingest-user.ts';
import { acceptUpload } from '../../shared/domain/sdk/accept-upload.ts';
import { subjectOf } from '../../shared/domain/users/subject.ts';
import { createUser } from '../../shared/domain/users/users.ts';
import type { Item, Random, Table } from '../../shared/engine/ports.ts';
import type { Caller } from '../../shared/model/account.ts';
import type { SdkProviderId } from '../../shared/model/provider.ts';
import { MobileScope } from '../../shared/model/token.ts';
import { UploadBody, type UploadDevice } from '../../shared/model/upload.ts';
import { makeDeps, systemRandom } from '../../shared/runtime/deps.ts';
import type { DueKind } from '../../shared/store/due.ts';
import { userPartition } from '../../shared/store/keys.ts';
import { openSdkSession } from './sdk-session.ts';

export type Gadget = UploadDevice & { provider: SdkProviderId };
export type Records = Partial<Record<'samples' | 'daily' | 'sleep' | 'workouts', object[]>> & {
  /** Where the phone was; UTC unless told. */
  time_zone?: string;
};

export interface RacedUser {
  id: string;
  caller: Caller;
  table: Table;
  deps: Deps;
  /** The same user at the same time, in a copy of its table. */
  copied(table: Table): RacedUser;
  /** The same domain over a table of one's own making; late, it comes when the leases and rests of others have run out. */
  over(table: Table, late: boolean): Deps;
  /** Each a second after the one before. */
  upload(gadget: Gadget, records: Records, deps?: Deps): Promise<void>;
  /** As the queue runs them: one that throws is called again, here by `settle`. */
  ingest(deps: Deps): Promise<void>;
  rebuild(deps: Deps): Promise<void>;
  /** What the workers have thrown. */
  thrown: unknown[];
  /** Whose calls have all been answered, so that only work is left. */
  working: Set<Deps>;
  deviceId(gadget: Gadget): Promise<string>;
  /** Does what the table says is owed until nothing is. */
  settle(): Promise<void>;
}

/** Whose users they are; nothing of it is stored, as workers never ask. */
const caller: Caller = { kind: 'api_key', account: 'acc_of_the_races', env: 'live', form: 2 };

const secondMs = 1000;
/** Longer than any lease or rest. */
const longWhileMs = 600 * secondMs;
const mostRounds = 10;

/** Records that carry an offset count by it, so that a correction can move them to another day. */
export async function raceUser(table: Table, timezone: string | null): Promise<RacedUser> {
  const deps = depsOver(table, () => Date.now());
  const { id } = await createUser(deps, caller, { timezone, day_rule: 'recorded' });
  return racedUser(table, id, Date.now());
}

const depsOver = (table: Table, now: () => number, random = systemRandom): Deps =>
  makeDeps({
    table,
    random,
    queue: { send: async () => {}, sendAll: async () => {}, postpone: async () => {} },
    bus: { publish: async () => {} },
    rootSecret: 'a root secret of more than 32 characters',
    clock: { now },
    log: () => {},
    place: { kind: 'local' },
  });

/** A race draws the same each time, so that equal ends are seen to be equal. */
function drawsFrom(seed: string): Random {
  let drawn = 0;
  return { bytes: (count) => createHash('shake128', { outputLength: count }).update(`${seed} ${drawn++}`).digest() };
}

function racedUser(table: Table, id: string, startMs: number, copy = 0): RacedUser {
  let nowMs = startMs;
  let workers = 0;
  const over = (own: Table, late: boolean): Deps =>
    depsOver(own, () => nowMs + (late ? longWhileMs : 0), drawsFrom(`${id} ${copy} ${workers++}`));
  const deps = over(table, false);
  const thrown: unknown[] = [];
  const working = new Set<Deps>();
  const asWorker = async (own: Deps, work: (deps: Deps, userId: string) => Promise<void>): Promise<void> => {
    working.add(own);
    await work(own, id).catch((error: unknown) => thrown.push(error));
  };

  async function owed(): Promise<Set<DueKind>> {
    const places = (await wholePartition(table, id)).map(({ duePk }) => String(duePk));
    const isOwed = (kind: DueKind) => places.some((place) => place.startsWith(`DUE#${kind}#`));
    return new Set((['ingest', 'consolidate'] as const).filter(isOwed));
  }

  return {
    id,
    caller,
    table,
    deps,
    copied: (other) => racedUser(other, id, nowMs, copy + 1),
    over,
    thrown,
    working,
    async upload({ provider, ...device }, records, own = deps) {
      nowMs += secondMs;
      const { account, env } = caller;
      const sessionId = await openSdkSession(deps, { id, account, env }, provider);
      const scopes = MobileScope.options;
      const told = await acceptUpload(
        own,
        { kind: 'sdk_session', account, env, form: 2, userId: id, sessionId, provider, scopes, sharingEpoch: 0 },
        UploadBody.parse({ time_zone: 'UTC', device, ...records }),
      );
      if (told.rejected.length > 0) throw new Error(`rejected: ${JSON.stringify(told.rejected)}`);
    },
    ingest: (own) => asWorker(own, ingestUser),
    rebuild: (own) => asWorker(own, rebuild),
    async deviceId({ provider, model }) {
      const subject = await subjectOf(deps, id);
      const device = subject?.devices.find((each) => each.provider === provider && each.model === model);
      if (!device) throw new Error(`there is no ${provider} ${model}`);
      return device.id;
    },
    async settle() {
      for (let rounds = 0; rounds < mostRounds; rounds++) {
        const left = await owed();
        if (left.size === 0) return;
        nowMs += 2 * longWhileMs;
        if (left.has('ingest')) await ingestUser(deps, id);
        if (left.has('consolidate')) await rebuild(deps, id);
      }
      throw new Error(`after ${mostRounds} rounds this is still owed: ${[...(await owed())].join(', ')}`);
    },
  };
}

export async function wholePartition(table: Table, userId: string): Promise<Item[]> {
  const rows: Item[] = [];
  const found = table.queryAll({ where: '#pk = :pk', values: { pk: userPartition(userId) }, consistent: true });
  for await (const row of found) rows.push(row);
  return rows;
}
