// Raw data is stored in chunks for a month; an update never recreates a row that is gone.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LocalTable } from '../../../infra/local/local-table.ts';
import { countRawChunks, type RawUpload, rawUploadRows } from '../../../shared/pipeline/raw-uploads.ts';
import type { Item } from '../../../shared/platform/ports.ts';
import { keys, userPartition } from '../../../shared/system/keys.ts';
import { onEveryEngine } from '../../harness/every-engine.ts';
import { storeOn } from '../../harness/store-on.ts';
import { startTable } from '../system/engines.ts';
import { someUpload } from '../users/sample-upload.ts';
import { freshId } from '../users/user-model.ts';

const month = 30 * 24 * 3600;
const bytesOf = (length: number): Uint8Array => new Uint8Array(length).map((_none, at) => (at * 31) >> 8);

onEveryEngine('raw data', (kind) => {
  let localTable: LocalTable;
  let raws: ReturnType<typeof rawUploadRows>;
  let user: string;
  beforeAll(async () => {
    localTable = await startTable(kind);
    raws = rawUploadRows(storeOn(localTable.table));
  });
  afterAll(() => localTable.stop());
  beforeEach(() => {
    user = freshId('user');
  });

  /** Stores the bytes under the id, in the number of chunks they need. */
  async function put(id: string, about: Partial<RawUpload> = {}, raw = bytesOf(10)): Promise<RawUpload> {
    const { kind: _kind, ...upload } = { ...someUpload({ chunks: countRawChunks(raw) }), ...about, id };
    await raws.put(user, upload, raw);
    return upload;
  }
  const rows = async (): Promise<Item[]> =>
    (await localTable.table.query({ where: '#pk = :pk', values: { pk: userPartition(user) }, consistent: true })).items;
  const names = async () => (await rows()).map(({ sk }) => sk);
  const ttls = async () => (await rows()).map((row) => row['ttl']);
  const ids = (found: readonly RawUpload[]) => found.map(({ id }) => id);

  test('of several chunks reads back as it was sent, and is removed as a whole', async () => {
    const raw = bytesOf(1_200_000);
    const upload = await put('bat_a', {}, raw);
    expect(upload.chunks).toBe(4);
    const read = await raws.readBytes(user, upload);
    expect(read && Buffer.compare(read, raw)).toBe(0);
    await raws.remove(user, upload);
    expect(await rows()).toEqual([]);
  });

  test('with a missing chunk is not taken for a shorter upload', async () => {
    const upload = await put('bat_a', {}, bytesOf(1_200_000));
    await localTable.table.write({ kind: 'delete', key: keys.rawChunk(user, 'bat_a', 3) });
    expect(await raws.readBytes(user, upload)).toBeUndefined();
    expect(await raws.readBytes(user, { id: 'bat_none', chunks: 1 })).toBeUndefined();
  });

  test('without a byte still has one chunk', async () => {
    const upload = await put('bat_a', {}, bytesOf(0));
    expect(upload.chunks).toBe(1);
    expect(await raws.readBytes(user, upload)).toHaveLength(0);
  });

  test('expires a month after it arrived, in all its chunks', async () => {
    const { receivedMs } = await put('bat_a', {}, bytesOf(500_000));
    expect(await ttls()).toEqual([receivedMs / 1000 + month, receivedMs / 1000 + month]);
  });

  test('can be retained indefinitely, and then again for a month', async () => {
    const upload = await put('bat_a', {}, bytesOf(500_000));
    await raws.retainIndefinitely(user, upload);
    expect(await ttls()).toEqual([undefined, undefined]);
    await raws.restoreRetention(user, upload, 5_000_000);
    expect(await ttls()).toEqual([5_000 + month, 5_000 + month]);
  });

  test.each([
    ['for good', (upload: RawUpload) => raws.retainIndefinitely(user, upload)],
    ['for a while', (upload: RawUpload) => raws.restoreRetention(user, upload, 2_000)],
  ])('that has expired is not recreated without its bytes when it is to be retained %s', async (_how, keep) => {
    const upload = await put('bat_a', {}, bytesOf(500_000));
    await localTable.table.write({ kind: 'delete', key: keys.rawChunk(user, 'bat_a', 0) });
    await keep(upload);
    expect(await names()).toEqual([keys.rawChunk(user, 'bat_a', 1).sk]);
  });

  describe('of a device', () => {
    const { receivedMs } = someUpload();
    let [a, b]: RawUpload[] = [];
    beforeEach(async () => {
      b = await put('bat_b', { receivedMs: receivedMs + 9 }, bytesOf(500_000));
      a = await put('bat_a', { receivedMs: receivedMs + 5 });
      await put('bat_c', { device: 'dev_b' });
      await raws.retainIndefinitely(user, await put('bat_aside', {}));
    });

    test('is listed in order of arrival, without quarantined uploads', async () => {
      expect(await raws.listByDevice(user, 'dev_a', receivedMs)).toEqual([a, b]);
    });
    test('is not listed after its month', async () => {
      const endMs = receivedMs + 1000 * month;
      expect(ids(await raws.listByDevice(user, 'dev_a', endMs))).toEqual(['bat_a', 'bat_b']);
      expect(ids(await raws.listByDevice(user, 'dev_a', endMs + 2_000))).toEqual([]);
    });
    test('is found by id, in the order of the ids, without missing uploads', async () => {
      expect(await raws.findByIds(user, ['bat_b', 'bat_gone', 'bat_a'])).toEqual([b, a]);
      expect(await raws.findByIds(user, [])).toEqual([]);
    });
    test('is removed with its device, quarantined or not, and with no other device', async () => {
      await raws.removeByDevice(user, 'dev_a');
      expect(await names()).toEqual([keys.rawChunk(user, 'bat_c', 0).sk]);
    });
  });
});
