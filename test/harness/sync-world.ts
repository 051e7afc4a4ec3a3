// The domain over a table in memory, with a vendor in the same process and a queue that a test works off when it likes: Oura, unless told.
import { createHmac } from 'node:crypto';
import { makeDeps, systemRandom } from '../../functions/runtime/deps.ts';
import { sweepWorker } from '../../functions/workers/sweep.ts';
import { syncWorker } from '../../functions/workers/sync.ts';
import type { CloudProviderId } from '../../shared/catalog/provider.ts';
import { connectWithCode } from '../../shared/connections/connect/connect-with-code.ts';
import { acceptPush } from '../../shared/connections/push/accept-push.ts';
import { type Revocation, revocationRows } from '../../shared/connections/revocation-rows.ts';
import type { SyncPlan } from '../../shared/connections/sync-plan.ts';
import { type HeldConnection, syncRows } from '../../shared/connections/sync-rows.ts';
import { sessionRows } from '../../shared/measurements/rows/session-rows.ts';
import type { Table } from '../../shared/platform/ports.ts';
import { providers } from '../../shared/providers/catalog.ts';
import type { PushAnswer, PushRequest } from '../../shared/providers/kit/push.ts';
import type { LinkingCaller } from '../../shared/system/caller.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { makeId } from '../../shared/system/ids.ts';
import { jobs } from '../../shared/system/jobs.ts';
import { wakeDue } from '../../shared/system/wake-due.ts';
import { createUser } from '../../shared/users/users.ts';
import { movingClock, type TestClock } from './clock.ts';
import { type MemoryTable, memoryTable } from './memory-table.ts';
import { type Announced, eventsIn } from './outbox.ts';
import type { LogLine } from './system.ts';
import { type VendorInProcess, vendorInProcess } from './vendor-in-process.ts';
import { write } from './write-person.ts';

export interface SyncWorld {
  deps: Deps;
  table: MemoryTable;
  clock: TestClock;
  vendor: VendorInProcess;
  caller: LinkingCaller;
  log: LogLine[];
  waiting: { queue: string; body: unknown }[];
  over(table: Table): Deps;
  user(body?: object): Promise<string>;
  connect(user: string, account: string): Promise<string>;
  /** Until no message is left, those of other queues passed over. */
  work(deps?: Deps): Promise<void>;
  /** Time passes; then whoever is due is found, whatever message was lost, and worked off. */
  later(ms: number): Promise<void>;
  /** As Oura signs it. */
  push(note: object, more?: Partial<PushRequest>): Promise<PushAnswer>;
  /** As any other vendor sends it. */
  pushRaw(body: string, more?: Partial<PushRequest>): Promise<PushAnswer>;
  /** The connection together with its writer's plan. */
  row(user: string, device: string): Promise<(HeldConnection & SyncPlan) | undefined>;
  /** What is kept of a consent until the vendor has it back. */
  owed(user: string, device: string): Promise<Revocation | undefined>;
  nights(user: string): Promise<{ date: string; start: string; id: string | undefined }[]>;
  events(type: string): Announced[];
}

export const startMs = Date.UTC(2026, 2, 12, 12);
const baseUrl = 'https://day.example';

/** `engine` is used instead of the table in memory, which is then empty. */
export function syncWorld({
  provider = 'oura',
  engine,
}: {
  provider?: CloudProviderId;
  engine?: Table;
} = {}): SyncWorld {
  const clock = movingClock(startMs);
  const table = memoryTable();
  const vendor = vendorInProcess(clock, provider);
  const log: LogLine[] = [];
  const waiting: SyncWorld['waiting'] = [];
  const { clientId, clientSecret } = vendor.credentials;
  const over = (own: Table): Deps =>
    makeDeps({
      table: own,
      queue: {
        send: async (queue, body) => void waiting.push({ queue, body }),
        sendAll: async (queue, bodies) => void waiting.push(...bodies.map((body) => ({ queue, body }))),
        postpone: async () => {},
      },
      bus: { publish: async () => {} },
      rootSecret: 'a root secret of more than 32 characters',
      clock,
      log: (level, message, fields = {}) => log.push({ level, message, fields }),
      place: { kind: 'local', baseUrl },
      egress: {
        guarded: vendor.client,
        providers: vendor.client,
        named: () => vendor.client,
        sandbox: vendor.client,
      },
      providerSettings: {
        of: async (id) =>
          id === provider
            ? { client_id: clientId, client_secret: clientSecret, ...vendor.credentials.more }
            : undefined,
      },
    });
  const deps = over(engine ?? table);
  const account = makeId('account', startMs, systemRandom.bytes(10));
  const caller: LinkingCaller = { kind: 'api_key', account, env: 'live', form: 2, keyHash: null };

  const world: SyncWorld = {
    deps,
    table,
    clock,
    vendor,
    caller,
    log,
    waiting,
    over,
    user: async (body = { timezone: 'UTC' }) => (await createUser(deps, caller, body)).id,
    async connect(user, as) {
      const redirect = `${baseUrl}/connect/callback/${provider}`;
      const device = await connectWithCode(deps, user, provider, async (challenge) =>
        vendor.code(provider, as, redirect, providers[provider].oauth.pkce ? challenge : undefined),
      );
      if (device === undefined) throw new Error('the user is gone');
      return device;
    },
    async work(by = deps) {
      for (let next = waiting.shift(); next; next = waiting.shift())
        if (next.queue === 'connection') await syncWorker(by)(jobs.connection.parse(next.body));
        else if (next.queue === 'person') await write(by, jobs.person.parse(next.body).user_id);
    },
    async later(ms) {
      clock.advance(ms);
      await wakeDue(deps, 'sync');
      await sweepWorker(deps)();
      await world.work();
    },
    push: (note, more = {}) => acceptPush(deps, provider, { ...signed(clientSecret, note, clock.now()), ...more }),
    pushRaw: (body, more = {}) =>
      acceptPush(deps, provider, {
        ...{ method: 'POST', headers: {}, query: {}, pathSecret: undefined, body: Buffer.from(body) },
        receivedMs: clock.now(),
        ...more,
      }),
    async row(user, device) {
      const read = await syncRows(deps.store).read(user, device);
      return read && { ...read.plan, ...read.connection };
    },
    owed: (user, device) => revocationRows(deps.store).of(user, device),
    async nights(user) {
      const found = [];
      for await (const { date, sessions } of sessionRows(deps.store).sleep.all(user))
        for (const { startMs: ms, sourceId } of sessions)
          found.push({ date, start: new Date(ms).toISOString(), id: sourceId });
      return found;
    },
    events: (type) => eventsIn(table.rows()).filter((event) => event.type === type),
  };
  return world;
}

export function signed(clientSecret: string, note: object, nowMs: number): PushRequest {
  const body = Buffer.from(JSON.stringify(note));
  const stamp = String(Math.floor(nowMs / 1000));
  const signature = createHmac('sha256', clientSecret).update(stamp).update(body).digest('hex');
  return {
    method: 'POST',
    headers: { 'x-oura-timestamp': stamp, 'x-oura-signature': signature.toUpperCase() },
    query: {},
    pathSecret: undefined,
    body,
    receivedMs: nowMs,
  };
}

/** A night as Oura tells it, from eleven until seven. */
export const ouraNight = (id: string, day: string, more: object = {}): object => {
  const before = new Date(Date.parse(`${day}T00:00:00Z`) - 3_600_000).toISOString().slice(0, 19);
  return {
    id,
    day,
    type: 'long_sleep',
    bedtime_start: `${before}+00:00`,
    bedtime_end: `${day}T07:00:00+00:00`,
    total_sleep_duration: 25_200,
    time_in_bed: 28_800,
    ...more,
  };
};

export const minutes = (count: number): number => count * 60_000;
export const hours = (count: number): number => minutes(60 * count);
