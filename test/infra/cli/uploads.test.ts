import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../../infra/cli/commands.ts';
import { Misused } from '../../../infra/cli/misused.ts';
import { disconnectDevice } from '../../../shared/connections/disconnect.ts';
import { asideRows } from '../../../shared/pipeline/set-aside-rows.ts';
import { retrySetAside } from '../../../shared/pipeline/writer/attempts.ts';
import type { Item } from '../../../shared/platform/ports.ts';
import { subjectOf } from '../../../shared/users/subject.ts';
import { owedTo } from '../../harness/owed.ts';
import { pendingCommands } from '../../harness/pending-commands.ts';
import { poison, rawOf, repair, type Upload } from '../../harness/poisoned-upload.ts';
import { shownDaily } from '../../harness/shown.ts';
import { openWorkshop, type Workshop } from '../../harness/worker-deps.ts';
import { write } from '../../harness/write-person.ts';
import { dataFolder, daybook } from './command-line.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.place.stop());

interface Aside extends Upload {
  raw: Item;
}

const date = '2026-03-10';
const weigh = (user: string, value: number) =>
  shop.upload(user, 'apple_health', {
    time_zone: 'UTC',
    device: { name: 'Scale', model: 'S1', type: 'scale' },
    daily: [{ metric: 'weight', date, value, unit: 'kg' }],
  });
async function weight(user: string): Promise<number | null> {
  const asked = { from_date: date, to_date: date, types: 'weight', include_sources: false };
  return JSON.parse((await shownDaily(shop.deps, shop.caller, user, asked)).text).series.weight[0];
}

const waiting = (user: string) => pendingCommands(shop.place.table, user);

/** An upload of a user of its own that was set aside, and can be repaired. */
async function setOneAside(value: number): Promise<Aside> {
  shop.clock.advance(1_000);
  const user = await shop.user();
  await weigh(user, value);
  const [command] = await waiting(user);
  const upload = { user, batch: command?.id ?? '' };
  const raw = await poison(shop.place.table, upload);
  for (let tries = 0; tries < 3; tries++) await write(shop.deps, user).catch(() => {});
  return { ...upload, raw };
}
const repaired = (upload: Aside): Promise<void> => repair(shop.place.table, upload, upload.raw);
async function disconnect(user: string): Promise<void> {
  const [device] = (await subjectOf(shop.deps, user))?.devices ?? [];
  await disconnectDevice(shop.deps, shop.caller, user, String(device?.id));
}

const run = async (name: string, subject?: string) => {
  const command = commands[name];
  if (!command) throw new Error(`there is no command ${name}`);
  return command.prepare({ subject })(shop.deps);
};
const listed = async (): Promise<unknown> => (await run('uploads list')).json;
const retry = (subject: string) => run('uploads retry', subject);

describe('uploads list', () => {
  test('says so when there are none, and shows each with its user, its time and the reason', async () => {
    expect(await run('uploads list')).toEqual({ json: { uploads: [] }, text: 'No uploads are set aside.' });
    const [first, second] = [await setOneAside(71), await setOneAside(72)];
    const shown = ({ user, batch }: Aside) => ({
      batch_id: batch,
      user_id: user,
      device_id: expect.stringMatching(/^dev_/),
      source: 'sdk',
      format: 1,
      records: 1,
      received_at: expect.stringMatching(/^\d{4}-.*Z$/),
      set_aside_at: expect.stringMatching(/^\d{4}-.*Z$/),
      reason: 'incorrect header check',
    });
    const { json, text } = await run('uploads list');
    expect(json).toEqual({ uploads: [shown(first), shown(second)] });
    expect(text.split('\n').map((line) => line.split('  ')[0])).toEqual([first.batch, second.batch]);
    for (const upload of [first, second]) {
      await repaired(upload);
      await retry(upload.batch);
    }
    expect(await listed()).toEqual({ uploads: [] });
  });
});

describe('uploads retry', () => {
  test('has an upload worked in that was repaired, as the last word of its device', async () => {
    const upload = await setOneAside(71);
    await weigh(upload.user, 72);
    await write(shop.deps, upload.user);
    expect(await weight(upload.user)).toBe(72);
    await repaired(upload);
    expect(await retry(upload.batch)).toEqual({
      json: { retried: [upload.batch], left: [] },
      text: '1 upload will be processed within two minutes.',
    });
    expect(await owedTo(shop.deps.store, 'person')).toContain(upload.user);
    await write(shop.deps, upload.user);
    expect(await weight(upload.user)).toBe(71);
    expect((await rawOf(shop.place.table, upload))['ttl']).toBeGreaterThan(0);
    expect(await listed()).toEqual({ uploads: [] });
  });

  test('of one that is not repaired sets it aside again, with its raw data', async () => {
    const upload = await setOneAside(71);
    await retry(upload.batch);
    for (let tries = 0; tries < 2; tries++) await expect(write(shop.deps, upload.user)).rejects.toThrow();
    await write(shop.deps, upload.user);
    expect(await listed()).toMatchObject({ uploads: [{ batch_id: upload.batch }] });
    expect((await rawOf(shop.place.table, upload))['ttl']).toBeUndefined();
    await repaired(upload);
    await retry(upload.batch);
    await write(shop.deps, upload.user);
    expect(await weight(upload.user)).toBe(71);
  });

  test('twice does no harm: the second time there is nothing of that name', async () => {
    const upload = await setOneAside(71);
    await repaired(upload);
    const row = (await asideRows(shop.deps.store).all()).find(({ id }) => id === upload.batch);
    await retry(upload.batch);
    await expect(retry(upload.batch)).rejects.toThrow(
      `Upload ${upload.batch} is not set aside. Run "uploads list" to see the ones that are.`,
    );
    // Whoever has read the list before is refused.
    await expect(row && retrySetAside(shop.deps, row)).rejects.toThrow();
    expect(await waiting(upload.user)).toHaveLength(1);
    await write(shop.deps, upload.user);
    await expect(retry(upload.batch)).rejects.toThrow(
      `Upload ${upload.batch} is not set aside. Run "uploads list" to see the ones that are.`,
    );
    expect(await weight(upload.user)).toBe(71);
  });

  test('of one whose device is gone says so, and leaves it to go with the device', async () => {
    const upload = await setOneAside(71);
    await disconnect(upload.user);
    await expect(retry(upload.batch)).rejects.toThrow(
      `The device or the user of ${upload.batch} no longer exists, so the upload cannot be processed.`,
    );
    expect(await waiting(upload.user)).toMatchObject([{ kind: 'remove-device' }]);
    await write(shop.deps, upload.user);
    expect(await listed()).toEqual({ uploads: [] });
  });

  test('all takes every one that can be, and tells of the others', async () => {
    const gone = await setOneAside(70);
    await disconnect(gone.user);
    const uploads = [await setOneAside(71), await setOneAside(72)];
    for (const upload of uploads) await repaired(upload);
    const { json, text } = await retry('all');
    expect(json).toMatchObject({ retried: uploads.map(({ batch }) => batch) });
    expect(text).toContain('2 uploads will be processed within two minutes.');
    expect(text).toContain(`The device or the user of ${gone.batch} no longer exists`);
    for (const { user } of uploads) await write(shop.deps, user);
    expect([await weight(uploads[0]?.user ?? ''), await weight(uploads[1]?.user ?? '')]).toEqual([71, 72]);
    expect((await retry('all')).json).toMatchObject({ retried: [] });
  });

  test('of nothing is misused', () => {
    expect(() => commands['uploads retry']?.prepare({})).toThrow(Misused);
  });
});

test('on the command line an unknown batch ends with 1 and a sentence, and a list is JSON for programs', async () => {
  const data = dataFolder();
  const unknown = await daybook(data, ['uploads', 'retry', 'bat_nothing']);
  expect([unknown.code, unknown.out, unknown.err]).toEqual([
    1,
    '',
    'Upload bat_nothing is not set aside. Run "uploads list" to see the ones that are.\n',
  ]);
  expect((await daybook(data, ['uploads', 'list', '--json'])).json).toEqual({ uploads: [] });
});
