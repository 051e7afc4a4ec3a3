// A user who stops sharing while work is running for them.
import { expect } from 'vitest';
import { createAccount } from '../../../shared/accounts/accounts.ts';
import { MobileScope } from '../../../shared/catalog/mobile-scopes.ts';
import type { SdkProviderId } from '../../../shared/catalog/provider.ts';
import { patchConfiguration } from '../../../shared/consolidation/configuration.ts';
import { acceptUpload } from '../../../shared/mobile/accept-upload.ts';
import { UploadBody } from '../../../shared/providers/phone/upload.ts';
import type { Caller } from '../../../shared/system/caller.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { userPartition } from '../../../shared/system/keys.ts';
import { removeMember } from '../../../shared/team/members.ts';
import { updateUser } from '../../../shared/users/users.ts';
import { makeRecords } from '../../harness/erasure/records.ts';
import { readForm2Daily, readForm2Sleep, readForm2Workouts } from '../../harness/form-2-reads.ts';
import { interleavedTable } from '../../harness/interleaved-table.ts';
import { type MemoryDeps, memoryDeps } from '../../harness/memory-deps.ts';
import { once } from '../../harness/once.ts';
import { readEvents } from '../../harness/outbox.ts';
import { runWriter, runWriterUntilIdle } from '../../harness/run-writer.ts';
import { openSdkSession } from '../../harness/sdk-session.ts';
import { createMember } from '../../harness/team-members.ts';

const nights = Array.from({ length: 25 }, (_none, at) => {
  const start = Date.UTC(2026, 1, 10 + at, 22, at % 7);
  const end = start + (7 * 60 + (at % 5)) * 60_000;
  const minutes = { asleep_minutes: 400 + (at % 9), deep_minutes: 80, rem_minutes: 90, in_bed_minutes: 420 + (at % 5) };
  return { start: new Date(start).toISOString(), end: new Date(end).toISOString(), ...minutes };
});

const dataEvents = ['data.updated', 'score.updated', 'subject.synced'];
export const phone = { name: 'Phone', model: 'P1', type: 'phone' };
const watch = { name: 'Watch', model: 'W1', type: 'wrist' };

export interface SharingFixture {
  memory: MemoryDeps;
  user: string;
  caller: Caller;
  leave(): Promise<void>;
}

/** Creates a member with two days of data. */
const prepareMember = once(async () => {
  const memory = memoryDeps();
  const { deps, table } = memory;
  const { account_id: account } = await createAccount(deps, { name: 'The Lab' });
  const caller: Caller = { kind: 'api_key', account, env: 'live', form: 2 };
  const { user, member } = await createMember(deps, account);
  await send({ memory, user, caller }, watch, makeRecords(2));
  await settle({ memory, user });
  return { user, caller, member, table };
});

export async function send(
  { memory, user, caller }: Omit<SharingFixture, 'leave'>,
  device: object,
  records: object,
  provider: SdkProviderId = 'apple_health',
) {
  const { account, env } = caller;
  const sessionId = await openSdkSession(memory.deps, { id: user, account, env }, provider);
  const session = { kind: 'sdk_session', account, env, form: 2, userId: user, sessionId, sharingEpoch: 0 } as const;
  const body = UploadBody.parse({ time_zone: 'UTC', device, ...records });
  await acceptUpload(memory.deps, { ...session, provider, scopes: MobileScope.options }, body);
}

/** Returns the same user in a separate table. */
export async function copyFixture(): Promise<SharingFixture> {
  const { user, caller, member, table } = await prepareMember();
  const memory = memoryDeps({ table: table.copy() });
  memory.clock.advance(3_600_000);
  return { memory, user, caller, leave: () => removeMember(memory.deps, caller, member) };
}

const listPending = ({ memory, user }: Pick<SharingFixture, 'memory' | 'user'>) =>
  memory.table
    .rows()
    .filter((row) => row['pk'] === userPartition(user) && row['duePk'] !== undefined && !('feed' in row));

/** Completes all pending work, with workers that find it in the index. */
export async function settle({ memory, user }: Pick<SharingFixture, 'memory' | 'user'>): Promise<void> {
  for (let rounds = 0; listPending({ memory, user }).length > 0; rounds++) {
    if (rounds > 10) throw new Error(`still pending: ${JSON.stringify(listPending({ memory, user }))}`);
    memory.clock.advance(600_000);
    await runWriterUntilIdle(memory.deps, user);
  }
}

export const listDataEvents = ({ memory }: SharingFixture): string[] =>
  readEvents(memory.table.rows())
    .filter(({ type }) => dataEvents.includes(type))
    .map(({ id, type }) => `${type} ${id}`);

/** Returns everything that is read of the user, without ids. */
export async function read({ memory: { deps }, caller, user }: SharingFixture): Promise<string> {
  const range = { from_date: '2026-03-08', to_date: '2026-03-13' };
  const daily = await readForm2Daily(deps, caller, user, { ...range, include_sources: true });
  const sleep = await readForm2Sleep(deps, caller, user, { ...range, limit: 100, include_sources: true });
  const workouts = await readForm2Workouts(deps, caller, user, { ...range, limit: 100, include_sources: true });
  const text = JSON.stringify([daily.text, sleep.data, workouts.data]);
  return text.replaceAll(/(slp|wrk|dev)_\w{26}/g, '$1');
}

export const rejoin = ({ memory: { deps }, caller: { account }, user }: SharingFixture) =>
  createMember(deps, account, { user_id: user });

interface Work {
  /** Creates the work that is pending before the user leaves. */
  prepare(fixture: SharingFixture): Promise<unknown>;
  run(deps: Deps, user: string): Promise<void>;
  /** The number of calls between two tries in the fast tests. */
  step: number;
  /** The events it publishes when the user shares. */
  eventTypes: string[];
}
export const works: Record<string, Work> = {
  'an upload is processed': {
    prepare: (fixture) => send(fixture, phone, makeRecords(3, 40)),
    run: runWriter,
    step: 3,
    eventTypes: ['data.updated'],
  },
  'the history is rebuilt': {
    prepare: async ({ memory, caller, user }) => {
      await send({ memory, caller, user }, phone, makeRecords(3, 40), 'samsung_health');
      await settle({ memory, user });
      await patchConfiguration(memory.deps, caller, user, { metrics: { steps: { method: 'sum' } } });
    },
    run: runWriter,
    step: 1,
    eventTypes: ['subject.synced'],
  },
  'every day is rebuilt in another time zone': {
    prepare: ({ memory, caller, user }) => updateUser(memory.deps, caller, user, { timezone: 'Asia/Tokyo' }),
    run: runWriter,
    step: 17,
    eventTypes: ['subject.synced'],
  },
  'every day is scored again': {
    prepare: async ({ memory, caller, user }) => {
      await send({ memory, caller, user }, watch, { sleep: nights });
      await settle({ memory, user });
      await updateUser(memory.deps, caller, user, { profile: { date_of_birth: '1950-01-01' } });
    },
    run: runWriter,
    step: 1,
    eventTypes: ['score.updated'],
  },
};

/**
 * Revokes sharing and restores it `calls` calls later: the results of everything in between stay.
 */
export async function returnAtCalls({ prepare, run }: Work, every: number, calls: number): Promise<number> {
  const control = await copyFixture();
  await prepare(control);
  await settle(control);
  const wanted = await read(control);
  for (let n = 1; ; n += every) {
    const fixture = await copyFixture();
    await prepare(fixture);
    // Some calls run concurrently.
    const gone = Promise.withResolvers<void>();
    const left = interleavedTable(fixture.memory.table, n, () => fixture.leave().then(gone.resolve, gone.reject));
    const returned = interleavedTable(left.table, n + calls, () => gone.promise.then(() => rejoin(fixture)));
    await run(fixture.memory.withTable(returned.table), fixture.user);
    if (!left.hasRun()) return n;
    if (!returned.hasRun()) await rejoin(fixture);
    await settle(fixture);
    expect(await read(fixture), `unshared from call ${n} on`).toBe(wanted);
  }
}

/**
 * Revokes sharing at every `every`th call: no more events are published, nothing stays pending, and
 * nothing is lost.
 */
export async function revokeAtCalls({ prepare, run, eventTypes }: Work, every: number): Promise<number> {
  const control = await copyFixture();
  await prepare(control);
  const before = listDataEvents(control);
  await run(control.memory.deps, control.user);
  const news = listDataEvents(control).filter((each) => !before.includes(each));
  expect(news.map((each) => each.split(' ')[0])).toEqual(eventTypes);
  await settle(control);
  const wanted = await read(control);
  for (let n = 1; ; n += every) {
    const fixture = await copyFixture();
    await prepare(fixture);
    let eventsBefore: unknown[] = [];
    const { table, hasRun: happened } = interleavedTable(fixture.memory.table, n, async () => {
      await fixture.leave();
      eventsBefore = listDataEvents(fixture);
    });
    await run(fixture.memory.withTable(table), fixture.user);
    if (!happened()) return n;
    await settle(fixture);
    expect(listDataEvents(fixture), `revoked before call ${n}`).toEqual(eventsBefore);
    await expect(read(fixture)).rejects.toMatchObject({ code: 'sharing_revoked' });
    await rejoin(fixture);
    expect(await read(fixture), `revoked before call ${n}`).toBe(wanted);
  }
}
