// The commands that wait for a user's writer: they are read in order of arrival, and a command is
// changed or finished only as it was read.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LocalTable } from '../../../infra/local/local-table.ts';
import type { Item, Write } from '../../../shared/platform/ports.ts';
import { userPartition } from '../../../shared/system/keys.ts';
import { pendingIndexKeys } from '../../../shared/system/pending-kinds.ts';
import {
  type Command,
  commandRows,
  type LongCommand,
  type RecordedChange,
  type ReplayCommand,
  type UploadCommand,
} from '../../../shared/users/command-rows.ts';
import { onEveryEngine } from '../../harness/every-engine.ts';
import { pendingCommands } from '../../harness/pending-commands.ts';
import { storeOn } from '../../harness/store-on.ts';
import { deviceRow } from '../../harness/stored-data.ts';
import { startTable } from '../system/engines.ts';
import { someUpload } from './sample-upload.ts';
import { captureRefusedItems, freshId } from './user-model.ts';

const [t0, t1, t2] = [1_773_230_400_000, 1_773_230_401_000, 1_773_230_402_000];
const recordedChange: RecordedChange = {
  metrics: ['steps'],
  sleep: true,
  workouts: false,
  from: '2026-03-10',
  to: '2026-03-11',
  ranges: [{ from: '2026-03-10', to: '2026-03-11' }],
};
const unannounced = { metrics: ['steps'], from: '2026-03-01', to: '2026-03-02' };
const cursor = { atMs: t0, through: '2026-03-02', from: '2026-03-01', to: '2026-03-02' };

onEveryEngine('commands', (kind) => {
  let localTable: LocalTable;
  let rows: ReturnType<typeof commandRows>;
  let user: string;
  beforeAll(async () => {
    localTable = await startTable(kind);
    rows = commandRows(storeOn(localTable.table));
  });
  afterAll(() => localTable.stop());
  beforeEach(() => {
    user = freshId('user');
  });

  const commit = (...writes: Write[]) => localTable.table.transact(writes);
  const isRefused = async (write: Write) => (await captureRefusedItems(commit(write))) !== undefined;
  const readPending = () => pendingCommands(localTable.table, user);
  const readSingle = async <Kind extends Command['kind']>(wanted: Kind): Promise<Extract<Command, { kind: Kind }>> => {
    const [command, ...more] = await readPending();
    if (command?.kind !== wanted || more.length > 0)
      throw new Error(`expected exactly one command of the kind ${wanted}`);
    return command as Extract<Command, { kind: Kind }>;
  };
  const readItem = ({ sk }: Pick<Command, 'sk'>): Promise<Item | undefined> =>
    localTable.table.get({ pk: userPartition(user), sk }, { consistent: true });
  async function upload(about: Parameters<typeof someUpload>[0] = {}): Promise<UploadCommand> {
    await commit(rows.buildAppend(user, someUpload(about)));
    return readSingle('upload');
  }
  async function requestRecount(): Promise<LongCommand> {
    await commit(rows.buildRequest(user, 'recount', 'cmd_1', t0));
    return readSingle('recount');
  }

  test('are read as they were appended: first the coalesced ones, then uploads by arrival', async () => {
    const late = someUpload({ id: 'bat_a', receivedMs: t2, late: true });
    const early = someUpload({ id: 'bat_c', receivedMs: t0 });
    const about = { id: 'bat_b', device: 'dev_a', receivedMs: t1, uploads: ['x'], replayed: 0 };
    const replay = { kind: 'replay' as const, ...about };
    const device = deviceRow();
    await commit(rows.buildAppend(user, late), rows.buildAppend(user, replay), rows.buildAppend(user, early));
    await commit(rows.buildRequest(user, 'rescore', 'cmd_1', t0), rows.buildRemoveDevice(user, 'cmd_2', device, t0));
    const found = await readPending();
    expect(found.map(({ id }) => id)).toEqual(['cmd_2', 'cmd_1', 'bat_c', 'bat_b', 'bat_a']);
    expect(found).toMatchObject([{ kind: 'remove-device', device }, { kind: 'rescore' }, early, replay, late]);
    for (const command of found) expect(command).toMatchObject({ failures: 0, crashes: 0 });
  });

  test('are pending for their user from the moment they arrive', async () => {
    expect(await readItem(await upload({ receivedMs: t1 }))).toMatchObject(pendingIndexKeys('user', user, t1));
    await commit(
      rows.buildRemoveDevice(user, 'cmd_1', deviceRow(), t2),
      rows.buildRequest(user, 'rebuild', 'cmd_2', t0),
    );
    const [leaving, rebuild] = await readPending();
    expect(leaving && (await readItem(leaving))).toMatchObject(pendingIndexKeys('user', user, t2));
    expect(rebuild && (await readItem(rebuild))).toMatchObject(pendingIndexKeys('user', user, t0));
  });

  test('that are requested again become one command per kind, which starts over and still publishes what was changed', async () => {
    const first = await requestRecount();
    expect(first).toMatchObject({ id: 'cmd_1', unannounced: { metrics: [], from: null, to: null } });
    await rows.recordUnannounced(user, first, unannounced);
    await commit(rows.buildSaveProgress(user, first, cursor));
    await rows.recordFailure(user, first);
    await rows.recordAttempt(user, first, 2, t1);
    await rows.postpone(user, first, t2);
    const attempted = { failures: 1, crashes: 2, attemptMs: t1, notBeforeMs: t2 };
    expect(await readSingle('recount')).toMatchObject({ unannounced, cursor, ...attempted });
    await commit(rows.buildRequest(user, 'recount', 'cmd_2', t1));
    const again = await readSingle('recount');
    expect(again).toEqual({ sk: first.sk, kind: 'recount', id: 'cmd_2', unannounced, failures: 0, crashes: 0 });
    expect(await readItem(again)).toMatchObject(pendingIndexKeys('user', user, t1));
  });

  test('that are requested only if absent are refused when one is already waiting', async () => {
    await commit(rows.buildRequestIfAbsent(user, 'rescore', 'cmd_1', t0));
    expect(await isRefused(rows.buildRequestIfAbsent(user, 'rescore', 'cmd_2', t1))).toBe(true);
    expect(await readSingle('rescore')).toMatchObject({ id: 'cmd_1' });
    await commit(rows.buildFinish(user, await readSingle('rescore')));
    await commit(rows.buildRequestIfAbsent(user, 'rescore', 'cmd_3', t1));
    expect(await readSingle('rescore')).toMatchObject({ id: 'cmd_3' });
  });

  describe('that were requested again since they were read', () => {
    let read: LongCommand;
    beforeEach(async () => {
      read = await requestRecount();
      await commit(rows.buildRequest(user, 'recount', 'cmd_2', t1));
    });

    test('are neither finished nor continued', async () => {
      const before = await readSingle('recount');
      expect(await isRefused(rows.buildFinish(user, read))).toBe(true);
      expect(await isRefused(rows.buildSaveProgress(user, read, cursor))).toBe(true);
      expect(await readSingle('recount')).toEqual(before);
      await commit(rows.buildFinish(user, before));
      expect(await readPending()).toEqual([]);
    });
    test('are not written to', async () => {
      const before = await readItem(read);
      expect(await rows.recordUnannounced(user, read, unannounced)).toBe(false);
      expect(await rows.recordFailure(user, read)).toBeUndefined();
      expect(await rows.postpone(user, read, t2)).toBeUndefined();
      expect(await rows.recordAttempt(user, read, 1, t2)).toBeUndefined();
      expect(await readItem(read)).toEqual(before);
    });
  });

  describe('that are finished', () => {
    test('are no longer pending, and are not created again by late writes', async () => {
      const read = await upload();
      await commit(rows.buildFinish(user, read));
      expect(await isRefused(rows.buildFinish(user, read))).toBe(true);
      expect(await rows.recordChange(user, read, recordedChange)).toBe(false);
      expect(await rows.recordFailure(user, read)).toBeUndefined();
      expect(await rows.postpone(user, read, t2)).toBeUndefined();
      expect(await rows.recordAttempt(user, read, 1, t2)).toBeUndefined();
      expect(await readItem(read)).toBeUndefined();
    });
  });

  test('hold what a pass is about to change, until they are finished', async () => {
    const read = await upload();
    expect(await rows.recordChange(user, read, recordedChange)).toBe(true);
    expect((await readSingle('upload')).recordedChange).toEqual(recordedChange);
    expect(
      await rows.recordChange(user, read, { ...recordedChange, metrics: [], from: null, to: null, ranges: [] }),
    ).toBe(true);
    expect((await readSingle('upload')).recordedChange).toMatchObject({ metrics: [], ranges: [], from: null });
    expect(await readItem(read)).toMatchObject(pendingIndexKeys('user', user, read.receivedMs));
  });

  test('count how often they failed, and how often a writer crashed while processing them', async () => {
    const read = await upload();
    const once = await rows.recordFailure(user, read);
    expect(once).toMatchObject({ failures: 1, crashes: 0 });
    expect(once && (await rows.recordFailure(user, once))).toMatchObject({ failures: 2 });
    expect(await rows.recordAttempt(user, read, 1, t2)).toMatchObject({ failures: 2, crashes: 1, attemptMs: t2 });
    expect(await readSingle('upload')).toMatchObject({ failures: 2, crashes: 1, attemptMs: t2 });
  });

  test('that are postponed become due at the given time, and keep their position in the order', async () => {
    const read = await upload({ receivedMs: t0 });
    const later = await rows.postpone(user, read, t2);
    expect(later).toEqual({ ...read, notBeforeMs: t2 });
    expect(await readItem(read)).toMatchObject(pendingIndexKeys('user', user, t2));
    expect(await readSingle('upload')).toEqual(later);
  });

  test('that replay uploads store what is left and how many were replayed, and clear the recorded change of finished ones', async () => {
    const replay = { id: 'bat_r', device: 'dev_a', receivedMs: t0, uploads: ['a', 'b', 'c'], replayed: 0 };
    await commit(rows.buildAppend(user, { kind: 'replay', ...replay }));
    const read: ReplayCommand = await readSingle('replay');
    await rows.recordChange(user, read, recordedChange);
    await commit(rows.buildReplayProgress(user, read, ['c']));
    const left = await readSingle('replay');
    expect(left).toMatchObject({ uploads: ['c'], replayed: 2 });
    expect(left.recordedChange).toBeUndefined();
    await commit(rows.buildFinish(user, left));
    expect(await isRefused(rows.buildReplayProgress(user, read, []))).toBe(true);
  });
});
