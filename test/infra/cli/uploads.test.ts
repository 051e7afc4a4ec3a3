import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../../infra/cli/command.ts';
import { commands } from '../../../infra/cli/commands.ts';
import { disconnectDevice } from '../../../shared/connections/disconnect.ts';
import { quarantinedUploadRows } from '../../../shared/pipeline/quarantined-upload-rows.ts';
import { retryQuarantinedUpload } from '../../../shared/pipeline/writer/command-attempts.ts';
import type { Item } from '../../../shared/platform/ports.ts';
import { readUserContext } from '../../../shared/users/user-context.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import { readForm2Daily } from '../../harness/form-2-reads.ts';
import { pendingCommands } from '../../harness/pending-commands.ts';
import { listPendingOwners } from '../../harness/pending-work.ts';
import { poison, rawOf, repair, type Upload } from '../../harness/poisoned-upload.ts';
import { runWriter } from '../../harness/run-writer.ts';
import { dataFolder, daybook } from './command-line.ts';

let world: EngineDomainWorld;
beforeAll(async () => {
  world = await openEngineDomainWorld();
});
afterAll(() => world.localTable.stop());

interface QuarantinedUpload extends Upload {
  raw: Item;
}

const date = '2026-03-10';
const uploadWeight = (user: string, value: number) =>
  world.upload(user, 'apple_health', {
    time_zone: 'UTC',
    device: { name: 'Scale', model: 'S1', type: 'scale' },
    daily: [{ metric: 'weight', date, value, unit: 'kg' }],
  });
async function readWeight(user: string): Promise<number | null> {
  const query = { from_date: date, to_date: date, types: 'weight', include_sources: false };
  return JSON.parse((await readForm2Daily(world.deps, world.caller, user, query)).text).series.weight[0];
}

const listPending = (user: string) => pendingCommands(world.localTable.table, user);

/** Creates an upload of a new user that is quarantined and can be repaired. */
async function quarantineUpload(value: number): Promise<QuarantinedUpload> {
  world.clock.advance(1_000);
  const user = await world.user();
  await uploadWeight(user, value);
  const [command] = await listPending(user);
  const upload = { user, batch: command?.id ?? '' };
  const raw = await poison(world.localTable.table, upload);
  for (let tries = 0; tries < 3; tries++) await runWriter(world.deps, user).catch(() => {});
  return { ...upload, raw };
}
const repairUpload = (upload: QuarantinedUpload): Promise<void> => repair(world.localTable.table, upload, upload.raw);
async function disconnect(user: string): Promise<void> {
  const [device] = (await readUserContext(world.deps, user))?.devices ?? [];
  await disconnectDevice(world.deps, world.caller, user, String(device?.id));
}

const runCommand = async (name: string, positional?: string) => {
  const command = commands[name];
  if (!command) throw new Error(`there is no command ${name}`);
  return command.prepare({ positional: positional })(world.deps);
};
const listUploads = async (): Promise<unknown> => (await runCommand('uploads list')).json;
const retryUpload = (positional: string) => runCommand('uploads retry', positional);

describe('uploads list', () => {
  test('reports when there are none, and shows each with its user, time and reason', async () => {
    expect(await runCommand('uploads list')).toEqual({ json: { uploads: [] }, text: 'No uploads are quarantined.' });
    const [first, second] = [await quarantineUpload(71), await quarantineUpload(72)];
    const shown = ({ user, batch }: QuarantinedUpload) => ({
      batch_id: batch,
      user_id: user,
      device_id: expect.stringMatching(/^dev_/),
      source: 'sdk',
      format: 1,
      records: 1,
      received_at: expect.stringMatching(/^\d{4}-.*Z$/),
      quarantined_at: expect.stringMatching(/^\d{4}-.*Z$/),
      reason: 'incorrect header check',
    });
    const { json, text } = await runCommand('uploads list');
    expect(json).toEqual({ uploads: [shown(first), shown(second)] });
    expect(text.split('\n').map((line) => line.split('  ')[0])).toEqual([first.batch, second.batch]);
    for (const upload of [first, second]) {
      await repairUpload(upload);
      await retryUpload(upload.batch);
    }
    expect(await listUploads()).toEqual({ uploads: [] });
  });
});

describe('uploads retry', () => {
  test('processes a repaired upload, as the latest data of its device', async () => {
    const upload = await quarantineUpload(71);
    await uploadWeight(upload.user, 72);
    await runWriter(world.deps, upload.user);
    expect(await readWeight(upload.user)).toBe(72);
    await repairUpload(upload);
    expect(await retryUpload(upload.batch)).toEqual({
      json: { retried: [upload.batch], left: [] },
      text: '1 upload will be processed within two minutes.',
    });
    expect(await listPendingOwners(world.deps.store, 'user')).toContain(upload.user);
    await runWriter(world.deps, upload.user);
    expect(await readWeight(upload.user)).toBe(71);
    expect((await rawOf(world.localTable.table, upload))['ttl']).toBeGreaterThan(0);
    expect(await listUploads()).toEqual({ uploads: [] });
  });

  test('quarantines an upload again that is not repaired, with its raw data', async () => {
    const upload = await quarantineUpload(71);
    await retryUpload(upload.batch);
    for (let tries = 0; tries < 2; tries++) await expect(runWriter(world.deps, upload.user)).rejects.toThrow();
    await runWriter(world.deps, upload.user);
    expect(await listUploads()).toMatchObject({ uploads: [{ batch_id: upload.batch }] });
    expect((await rawOf(world.localTable.table, upload))['ttl']).toBeUndefined();
    await repairUpload(upload);
    await retryUpload(upload.batch);
    await runWriter(world.deps, upload.user);
    expect(await readWeight(upload.user)).toBe(71);
  });

  test('a second time is harmless and reports that the upload is not quarantined', async () => {
    const upload = await quarantineUpload(71);
    await repairUpload(upload);
    const row = (await quarantinedUploadRows(world.deps.store).listAll()).find(({ id }) => id === upload.batch);
    await retryUpload(upload.batch);
    await expect(retryUpload(upload.batch)).rejects.toThrow(
      `Upload ${upload.batch} is not quarantined. Run "uploads list" to see the ones that are.`,
    );
    // A retry based on an outdated list is rejected.
    await expect(row && retryQuarantinedUpload(world.deps, row)).rejects.toThrow();
    expect(await listPending(upload.user)).toHaveLength(1);
    await runWriter(world.deps, upload.user);
    await expect(retryUpload(upload.batch)).rejects.toThrow(
      `Upload ${upload.batch} is not quarantined. Run "uploads list" to see the ones that are.`,
    );
    expect(await readWeight(upload.user)).toBe(71);
  });

  test('reports an upload whose device is gone, and leaves it to be removed with the device', async () => {
    const upload = await quarantineUpload(71);
    await disconnect(upload.user);
    await expect(retryUpload(upload.batch)).rejects.toThrow(
      `The device or the user of ${upload.batch} no longer exists, so the upload cannot be processed.`,
    );
    expect(await listPending(upload.user)).toMatchObject([{ kind: 'remove-device' }]);
    await runWriter(world.deps, upload.user);
    expect(await listUploads()).toEqual({ uploads: [] });
  });

  test('with "all" retries every upload that it can, and reports the others', async () => {
    const gone = await quarantineUpload(70);
    await disconnect(gone.user);
    const uploads = [await quarantineUpload(71), await quarantineUpload(72)];
    for (const upload of uploads) await repairUpload(upload);
    const { json, text } = await retryUpload('all');
    expect(json).toMatchObject({ retried: uploads.map(({ batch }) => batch) });
    expect(text).toContain('2 uploads will be processed within two minutes.');
    expect(text).toContain(`The device or the user of ${gone.batch} no longer exists`);
    for (const { user } of uploads) await runWriter(world.deps, user);
    expect([await readWeight(uploads[0]?.user ?? ''), await readWeight(uploads[1]?.user ?? '')]).toEqual([71, 72]);
    expect((await retryUpload('all')).json).toMatchObject({ retried: [] });
  });

  test('without a batch is a usage error', () => {
    expect(() => commands['uploads retry']?.prepare({})).toThrow(UsageError);
  });
});

test('on the command line an unknown batch exits with 1 and an error, and the list can be JSON', async () => {
  const data = dataFolder();
  const unknown = await daybook(data, ['uploads', 'retry', 'bat_nothing']);
  expect([unknown.code, unknown.out, unknown.err]).toEqual([
    1,
    '',
    'Upload bat_nothing is not quarantined. Run "uploads list" to see the ones that are.\n',
  ]);
  expect((await daybook(data, ['uploads', 'list', '--json'])).json).toEqual({ uploads: [] });
});
