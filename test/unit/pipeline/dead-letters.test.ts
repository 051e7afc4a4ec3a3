// An upload that cannot be processed delays only itself.
import { gzipSync } from 'node:zlib';
import type { SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { formatLogLine } from '../../../functions/runtime/log.ts';
import { handler, userWorker } from '../../../functions/workers/write-user.ts';
import { disconnectDevice } from '../../../shared/connections/disconnect.ts';
import { listQuarantinedUploads, retryQuarantinedUpload } from '../../../shared/pipeline/writer/command-attempts.ts';
import { EngineUnavailable, type Table } from '../../../shared/platform/ports.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { readUserContext } from '../../../shared/users/user-context.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import { readForm2Daily, readForm2Timeseries } from '../../harness/form-2-reads.ts';
import { pendingCommands } from '../../harness/pending-commands.ts';
import { poison, rawOf, type Upload } from '../../harness/poisoned-upload.ts';

let world: EngineDomainWorld;
let user: string;
let logged: { level: string; message: string; fields: unknown }[];
beforeAll(async () => {
  world = await openEngineDomainWorld();
});
afterAll(() => world.localTable.stop());
beforeEach(async () => {
  user = await world.user();
  logged = [];
  receives = 0;
});

const date = '2026-03-10';
/**
 * The visibility timeout: a message whose run never finished is delivered again after this time.
 */
const visibilityMs = 120_000;
const watch = { name: 'Watch', model: 'W1', type: 'wrist' };
const phone = { name: 'Phone', model: 'P1', type: 'phone' };

/** Uploads a number of steps for one hour of the day. */
async function walk(hour: number, value: number, device: object = watch): Promise<Upload> {
  world.clock.advance(1_000);
  const start = `${date}T${String(hour).padStart(2, '0')}:00:00Z`;
  const samples = [{ metric: 'steps', start, value, unit: 'count' }];
  await world.upload(user, 'apple_health', { time_zone: 'UTC', device, samples });
  const upload = (await waiting()).at(-1);
  if (!upload) throw new Error('nothing is pending');
  return { user, batch: upload.id };
}

const waiting = async () =>
  (await pendingCommands(world.localTable.table, user)).filter((command) => command.kind === 'upload');
const listQuarantined = async () => (await listQuarantinedUploads(world.deps)).filter((row) => row.user === user);
const withLog = (deps: Deps): Deps => ({
  ...deps,
  log: (level, message, fields) => logged.push({ level, message, fields }),
});
/** Counts the receives of one message, which the queue delivers again until a run succeeds. */
let receives = 0;
const work = (table: Table = world.localTable.table): Promise<'done' | 'again'> =>
  userWorker(withLog(world.withTable(table)))({ user_id: user }, { receives: ++receives }).then(
    () => {
      receives = 0;
      return 'done';
    },
    () => 'again',
  );
/** Runs the worker until the message is done, and returns the number of runs. */
async function workThrough(table?: Table): Promise<number> {
  for (let runs = 1; runs < 30; runs++) if ((await work(table)) === 'done') return runs;
  throw new Error('the worker never finishes');
}
async function stepsOfTheDay(): Promise<number | null> {
  const { text } = await readForm2Daily(world.deps, world.caller, user, {
    from_date: date,
    to_date: date,
    types: 'steps',
    include_sources: false,
  });
  return JSON.parse(text).series.steps[0];
}
async function samplesOfTheDay(): Promise<number> {
  const query = { metrics: 'steps', start_date: date, end_date: date, include_sources: false };
  const response = await readForm2Timeseries(world.deps, world.caller, user, query);
  if (!('data' in response)) throw new Error('the response holds no samples');
  return response.data.reduce((sum, { value }) => sum + value, 0);
}

describe('a poisoned upload', () => {
  test('is tried three times and then quarantined, while later uploads of the same and other devices are processed', async () => {
    const poisoned = await walk(8, 1);
    await poison(world.localTable.table, poisoned);
    await walk(9, 20);
    await walk(10, 300, phone);
    expect(await work()).toBe('again');
    expect((await waiting()).map(({ id }) => id)).toEqual([poisoned.batch]);
    expect(await stepsOfTheDay()).toBe(320);
    expect(await work()).toBe('again');
    expect(await listQuarantined()).toEqual([]);
    expect(await work()).toBe('done');
    expect(await waiting()).toEqual([]);
    expect((await listQuarantined()).map(({ id }) => id)).toEqual([poisoned.batch]);
    await walk(11, 4_000);
    expect(await work()).toBe('done');
    expect(await stepsOfTheDay()).toBe(4_320);
  });

  test.each([0, 1, 5, 9])(
    'with %d good uploads before it and the same number after it delays none of them',
    async (good) => {
      for (let at = 0; at < good; at++) await walk(at, 1);
      const poisoned = await walk(12, 1_000);
      await poison(world.localTable.table, poisoned);
      for (let at = 0; at < good; at++) await walk(13 + at, 100);
      const first = await work();
      expect(first).toBe('again');
      expect((await waiting()).map(({ id }) => id)).toEqual([poisoned.batch]);
      expect(await stepsOfTheDay()).toBe(good === 0 ? null : good * 101);
      expect(1 + (await workThrough())).toBe(3);
      expect((await listQuarantined()).map(({ id }) => id)).toEqual([poisoned.batch]);
      expect(await stepsOfTheDay()).toBe(good === 0 ? null : good * 101);
    },
  );

  test('leaves an error in the log, a row with the reason, and raw data that does not expire', async () => {
    const poisoned = await walk(8, 1);
    const ttlOf = async () => (await rawOf(world.localTable.table, poisoned))['ttl'];
    await poison(world.localTable.table, poisoned);
    expect(await ttlOf()).toBeGreaterThan(0);
    await workThrough();
    expect(await ttlOf()).toBeUndefined();
    expect(logged.filter(({ level }) => level === 'error')).toEqual([
      {
        level: 'error',
        message: 'upload_quarantined',
        fields: { user_id: user, batch_id: poisoned.batch },
      },
    ]);
    const [row] = await listQuarantined();
    expect(row).toMatchObject({
      user,
      id: poisoned.batch,
      records: 1,
      reason: expect.stringMatching(/header|gzip|data/i),
    });
  });

  /** Handles the messages as AWS delivers them, until one succeeds. Returns the log as written. */
  async function logOfFailures(deps: Deps): Promise<string[]> {
    const lines: string[] = [];
    const handle = handler.build({ ...deps, log: (...line) => lines.push(formatLogLine(...line)) });
    for (let count = 1; count < 30; count++) {
      // The part of the event that the adapter reads.
      const attributes = { ApproximateReceiveCount: `${count}`, MessageGroupId: user };
      const record = { messageId: 'm', receiptHandle: 'r', body: JSON.stringify({ user_id: user }), attributes };
      const { batchItemFailures } = await handle({ Records: [record] } as unknown as SQSEvent);
      if (batchItemFailures.length === 0) return lines;
    }
    throw new Error('the worker never finishes');
  }

  const marker = 'Ada61bpm';
  const normalizerFor = () => () => {
    throw new TypeError(`cannot read ${marker}\n    at ${marker}`, { cause: new Error(marker) });
  };
  test.each([
    ['SyntaxError', {}],
    ['TypeError', { normalizerFor }],
  ])('never reaches the log of the queue with its content, which a %s quotes', async (name, ownNormalizers) => {
    const poisoned = await walk(8, 1);
    await poison(world.localTable.table, poisoned, gzipSync(marker));
    const lines = await logOfFailures({ ...world.deps, ...ownNormalizers });
    const [row] = await listQuarantined();
    expect(row?.reason).toContain(marker);
    expect(lines.join('\n')).not.toContain(marker);
    const causes = lines.map((line) => JSON.parse(line)).filter(({ message }) => message === 'queue_message_failed');
    const failure = `the command ${poisoned.batch} (upload) failed with ${name}`;
    expect(causes.map(({ cause }) => [cause.message, cause.cause.name])).toEqual(Array(2).fill([failure, name]));
    for (const { cause } of causes) expect(cause.cause.frames[0]).toMatch(/^at /);
  });

  test('keeps its raw data without expiry when it cannot be enqueued again', async () => {
    const poisoned = await walk(8, 1);
    await poison(world.localTable.table, poisoned);
    await workThrough();
    const [row] = await listQuarantined();
    if (!row) throw new Error('nothing was quarantined');
    const away: Table = { ...world.localTable.table, transact: () => Promise.reject(new EngineUnavailable('away')) };
    await expect(retryQuarantinedUpload(world.withTable(away), row)).rejects.toThrow(EngineUnavailable);
    expect((await rawOf(world.localTable.table, poisoned))['ttl']).toBeUndefined();
    expect(await listQuarantined()).toHaveLength(1);
  });

  test('is retried after the later uploads of its device, even if the clock stands still', async () => {
    const poisoned = await walk(8, 1);
    await poison(world.localTable.table, poisoned);
    await workThrough();
    const [row] = await listQuarantined();
    if (!row) throw new Error('nothing was quarantined');
    await walk(9, 20);
    const lastMs = (await waiting()).at(-1)?.receivedMs ?? Number.POSITIVE_INFINITY;
    await retryQuarantinedUpload({ ...world.deps, clock: { now: () => lastMs } }, row);
    const [again] = (await waiting()).filter(({ id }) => id === poisoned.batch);
    expect(again?.receivedMs).toBeGreaterThan(lastMs);
    // The upload is marked late, since it no longer knows what its days hold, and its raw data
    // expires in a month again.
    expect(again).toMatchObject({ late: true });
    expect((await rawOf(world.localTable.table, poisoned))['ttl']).toBeGreaterThan(lastMs / 1000);
  });

  test('is removed with its device, and so is its raw data', async () => {
    const poisoned = await walk(8, 1);
    await poison(world.localTable.table, poisoned);
    await walk(9, 20, phone);
    await workThrough();
    expect(await listQuarantined()).toHaveLength(1);
    const device = (await readUserContext(world.deps, user))?.devices.find(({ deviceType }) => deviceType === 'wrist');
    await disconnectDevice(world.deps, world.caller, user, String(device?.id));
    expect(await work()).toBe('done');
    expect(await listQuarantined()).toEqual([]);
    await expect(rawOf(world.localTable.table, poisoned)).rejects.toThrow('there is no raw data');
  });

  /** Samples are written, but writing a day fails. */
  const failingAtDays: Table['write'] = (write) =>
    write.kind === 'put' && write.item.sk.startsWith('D#')
      ? Promise.reject(new Error('the day cannot be written'))
      : world.localTable.table.write(write);

  test.each([
    ['every time', 0],
    ['only the last time', 2],
  ])('that stops halfway %s leaves days that match the samples', async (_when, rawFailures) => {
    await walk(8, 1);
    expect(await work()).toBe('done');
    await walk(9, 20);
    let reads = 0;
    const failing: Table = {
      ...world.localTable.table,
      write: failingAtDays,
      batchGet(wanted, options) {
        const isRaw = wanted.some(({ sk }) => sk.startsWith('R#'));
        if (isRaw && reads++ < rawFailures) return Promise.reject(new Error('unreadable'));
        return world.localTable.table.batchGet(wanted, options);
      },
    };
    await work(failing);
    await work(failing);
    await work(failing);
    expect(await listQuarantined()).toHaveLength(1);
    await workThrough();
    expect(await stepsOfTheDay()).toBe(await samplesOfTheDay());
  });
});

test('an unavailable engine quarantines nothing and does not count as a failure of the upload', async () => {
  const upload = await walk(8, 1);
  await walk(9, 20);
  const away: Table = {
    ...world.localTable.table,
    batchGet: (wanted, options) =>
      wanted.some(({ sk }) => sk.startsWith(`R#${upload.batch}`))
        ? Promise.reject(new EngineUnavailable('away'))
        : world.localTable.table.batchGet(wanted, options),
  };
  for (let tries = 0; tries < 5; tries++) expect(await work(away)).toBe('again');
  expect((await waiting()).map(({ failures }) => failures)).toEqual([0, 0]);
  expect(await work()).toBe('done');
  expect([await listQuarantined(), await stepsOfTheDay()]).toEqual([[], 21]);
});

describe('a worker that crashes', () => {
  /** From the call that kills the worker on, none of its calls reaches the table. */
  function killedBy(kills: (wanted: string) => boolean): Table {
    let dead = false;
    const { table } = world.localTable;
    const unlessCrashed = <T>(call: () => Promise<T>): Promise<T> =>
      dead ? Promise.reject(new Error('dead')) : call();
    return {
      get: (...args) => unlessCrashed(() => table.get(...args)),
      batchGet(wanted, options) {
        if (wanted.some(({ sk }) => kills(sk))) dead = true;
        return unlessCrashed(() => table.batchGet(wanted, options));
      },
      query: (...args) => unlessCrashed(() => table.query(...args)),
      queryAll: (...args) => table.queryAll(...args),
      write: (...args) => unlessCrashed(() => table.write(...args)),
      transact: (...args) => unlessCrashed(() => table.transact(...args)),
      batchWrite: (...args) => unlessCrashed(() => table.batchWrite(...args)),
    };
  }
  const crashAt = async ({ batch }: Upload): Promise<void> => {
    expect(await work(killedBy((sk) => sk.startsWith(`R#${batch}`)))).toBe('again');
    world.clock.advance(visibilityMs);
  };

  test('five times on one upload gets it quarantined, and the others are processed', async () => {
    const crashing = await walk(8, 1);
    await walk(9, 20);
    await walk(10, 300, phone);
    // The first run that ended without a result does not count, because nobody knows when it began.
    for (let crashes = 0; crashes < 6; crashes++) {
      expect(await listQuarantined()).toEqual([]);
      await crashAt(crashing);
    }
    expect((await waiting()).map(({ failures }) => failures)).toEqual([0, 0, 0]);
    expect(await work()).toBe('done');
    expect(await listQuarantined()).toMatchObject([
      { user, id: crashing.batch, reason: '5 workers crashed while processing it' },
    ]);
    expect(await stepsOfTheDay()).toBe(320);
  });

  test('fewer than five counted times on one upload leaves it to be processed by the next run', async () => {
    const upload = await walk(8, 1);
    await walk(9, 20);
    for (let crashes = 0; crashes < 5; crashes++) await crashAt(upload);
    expect(await work()).toBe('done');
    expect([await listQuarantined(), await stepsOfTheDay()]).toEqual([[], 21]);
  });

  test('on another upload each time quarantines none', async () => {
    const uploads: Upload[] = [];
    for (let hour = 0; hour < 8; hour++) uploads.push(await walk(hour, 1));
    await crashAt(uploads[0] ?? { user, batch: '' });
    // The upload it crashed on succeeds alone the next time, and the worker crashes on the one
    // behind it.
    for (const next of uploads.slice(1)) await crashAt(next);
    expect(await work()).toBe('done');
    expect([await listQuarantined(), await stepsOfTheDay()]).toEqual([[], 8]);
  });
});

test('an upload of a removed device is dropped, poisoned or not', async () => {
  const poisoned = await walk(8, 1);
  await poison(world.localTable.table, poisoned);
  const [device] = (await readUserContext(world.deps, user))?.devices ?? [];
  await disconnectDevice(world.deps, world.caller, user, String(device?.id));
  expect(await work()).toBe('done');
  expect([await waiting(), await listQuarantined()]).toEqual([[], []]);
});
