// The domain on an in-memory table, with an in-process provider (Oura by default) and a queue that
// the test processes when it wants.
import { createHmac } from 'node:crypto';
import { makeDeps, systemRandom } from '../../functions/runtime/deps.ts';
import { sweepWorker } from '../../functions/workers/sweep.ts';
import { syncWorker } from '../../functions/workers/sync.ts';
import type { CloudProviderId } from '../../shared/catalog/provider.ts';
import { storeSettingsSummary } from '../../shared/connections/client/provider-availability.ts';
import { connectWithCode } from '../../shared/connections/connect/connect-with-code.ts';
import { acceptPush } from '../../shared/connections/push/accept-push.ts';
import { type Revocation, revocationRows } from '../../shared/connections/revocation-rows.ts';
import type { SyncPlan } from '../../shared/connections/sync-plan.ts';
import { type ConnectionWithInbox, syncRows } from '../../shared/connections/sync-rows.ts';
import { sessionRows } from '../../shared/measurements/rows/session-rows.ts';
import type { Table } from '../../shared/platform/ports.ts';
import { providerDescriptors } from '../../shared/providers/catalog.ts';
import type { PushRequest, PushResponse } from '../../shared/providers/kit/push.ts';
import type { LinkingCaller } from '../../shared/system/caller.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { makeId } from '../../shared/system/ids.ts';
import { jobs } from '../../shared/system/jobs.ts';
import { wakeDue } from '../../shared/system/wake-pending.ts';
import { createUser } from '../../shared/users/users.ts';
import { type TestClock, tickingClock } from './clock.ts';
import { createFakeProvider, type FakeProvider } from './fake-provider.ts';
import { type MemoryTable, memoryTable } from './memory-table.ts';
import { type PublishedEvent, readEvents } from './outbox.ts';
import { runWriter } from './run-writer.ts';
import type { LogLine } from './system.ts';

export interface SyncWorld {
  deps: Deps;
  table: MemoryTable;
  clock: TestClock;
  fakeProvider: FakeProvider;
  caller: LinkingCaller;
  log: LogLine[];
  queued: { queue: string; body: unknown }[];
  withTable(table: Table): Deps;
  user(body?: object): Promise<string>;
  connect(user: string, account: string): Promise<string>;
  /** Runs until no message is left. Skips messages of other queues. */
  processQueue(deps?: Deps): Promise<void>;
  /** Advances time, then finds and processes everything due, even if its message was lost. */
  passTime(ms: number): Promise<void>;
  /** Sends a push signed as Oura signs it. */
  push(notification: object, more?: Partial<PushRequest>): Promise<PushResponse>;
  /** Sends a push as any other provider does. */
  pushRaw(body: string, more?: Partial<PushRequest>): Promise<PushResponse>;
  /** The connection together with its sync plan. */
  readConnection(user: string, device: string): Promise<(ConnectionWithInbox & SyncPlan) | undefined>;
  /** The pending revocation of a consent, until the provider has accepted it. */
  pendingRevocation(user: string, device: string): Promise<Revocation | undefined>;
  nights(user: string): Promise<{ date: string; start: string; id: string | undefined }[]>;
  events(type: string): PublishedEvent[];
}

export const startMs = Date.UTC(2026, 2, 12, 12);
const baseUrl = 'https://day.example';

/** `engine` replaces the in-memory table, which then stays empty. */
export function syncWorld({
  provider = 'oura',
  engine,
}: {
  provider?: CloudProviderId;
  engine?: Table;
} = {}): SyncWorld {
  const clock = tickingClock(startMs);
  const table = memoryTable();
  const fakeProvider = createFakeProvider(clock, provider);
  const log: LogLine[] = [];
  const queued: SyncWorld['queued'] = [];
  const { clientId, clientSecret } = fakeProvider.credentials;
  const withTable = (own: Table): Deps =>
    makeDeps({
      table: own,
      queue: {
        send: async (queue, body) => void queued.push({ queue, body }),
        sendAll: async (queue, bodies) => void queued.push(...bodies.map((body) => ({ queue, body }))),
        postpone: async () => {},
      },
      bus: { publish: async () => {} },
      rootSecret: 'a root secret of more than 32 characters',
      clock,
      log: (level, message, fields = {}) => log.push({ level, message, fields }),
      deployment: { kind: 'local', baseUrl },
      egress: {
        guarded: fakeProvider.client,
        providers: fakeProvider.client,
        forOrigins: () => fakeProvider.client,
        sandbox: fakeProvider.client,
      },
      providerSettings: {
        get: async (id) =>
          id === provider
            ? { client_id: clientId, client_secret: clientSecret, ...fakeProvider.credentials.more }
            : undefined,
      },
    });
  const deps = withTable(engine ?? table);
  const account = makeId('account', startMs, systemRandom.bytes(10));
  const caller: LinkingCaller = { kind: 'api_key', account, env: 'live', form: 2, keyHash: null };

  const world: SyncWorld = {
    deps,
    table,
    clock,
    fakeProvider,
    caller,
    log,
    queued,
    withTable,
    async user(body = { timezone: 'UTC' }) {
      await storeSettingsSummary(deps);
      return (await createUser(deps, caller, body)).id;
    },
    async connect(user, accountName) {
      await storeSettingsSummary(deps);
      const redirect = `${baseUrl}/connect/callback/${provider}`;
      const device = await connectWithCode(deps, user, provider, async (challenge) =>
        fakeProvider.code(
          provider,
          accountName,
          redirect,
          providerDescriptors[provider].oauth.pkce ? challenge : undefined,
        ),
      );
      if (device === undefined) throw new Error('the user no longer exists');
      return device;
    },
    async processQueue(workerDeps = deps) {
      for (let next = queued.shift(); next; next = queued.shift())
        if (next.queue === 'connection') await syncWorker(workerDeps)(jobs.connection.parse(next.body));
        else if (next.queue === 'user') await runWriter(workerDeps, jobs.user.parse(next.body).user_id);
    },
    async passTime(ms) {
      clock.advance(ms);
      await wakeDue(deps, 'sync');
      await sweepWorker(deps)();
      await world.processQueue();
    },
    push: (notification, more = {}) =>
      acceptPush(deps, provider, { ...signPush(clientSecret, notification, clock.now()), ...more }),
    pushRaw: (body, more = {}) =>
      acceptPush(deps, provider, {
        ...{ method: 'POST', headers: {}, query: {}, pathSecret: undefined, body: Buffer.from(body) },
        receivedMs: clock.now(),
        ...more,
      }),
    async readConnection(user, device) {
      const read = await syncRows(deps.store).read(user, device);
      return read && { ...read.plan, ...read.connection };
    },
    pendingRevocation: (user, device) => revocationRows(deps.store).find(user, device),
    async nights(user) {
      const found = [];
      for await (const { date, sessions } of sessionRows(deps.store).sleep.iterateAll(user))
        for (const { startMs: ms, sourceId } of sessions)
          found.push({ date, start: new Date(ms).toISOString(), id: sourceId });
      return found;
    },
    events: (type) => readEvents(table.rows()).filter((event) => event.type === type),
  };
  return world;
}

export function signPush(clientSecret: string, notification: object, nowMs: number): PushRequest {
  const body = Buffer.from(JSON.stringify(notification));
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

/** A night as Oura reports it, from 23:00 to 07:00. */
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
