// The list of uploads: its pages, its 30 days, and whose they are.
import { beforeEach, expect, test } from 'vitest';
import { listUploads } from '../../../shared/pipeline/list-uploads.ts';
import { uploadSummaryDays } from '../../../shared/pipeline/upload-summary.ts';
import { uploadSummaryRows } from '../../../shared/pipeline/upload-summary-rows.ts';
import { createProviderDevice, type ProviderDevice } from '../../harness/provider-device.ts';

const retentionMs = uploadSummaryDays * 24 * 3_600_000;
let device: ProviderDevice;
beforeEach(async () => {
  device = await createProviderDevice();
  device.clock.freeze();
});

const put = (batch: string, receivedMs: number, by = device.device.id, rejected = 1) =>
  uploadSummaryRows(device.deps.store).put(device.userId, {
    ...{ batch, device: by, receivedMs, kind: 'poll', accepted: 1, rejected, failure: null },
    rejections: [{ code: 'implausible_value', metric: 'steps', message: 'It is wrong.', count: 1 }],
  });

async function list(limit: number, position: string | undefined, rejected: boolean) {
  const page = await listUploads(device.deps, device.caller, device.userId, { limit, position, rejected });
  return { ids: page.uploads.map(({ batch_id }) => batch_id), position: page.position };
}

async function listPages(limit: number, rejected = false) {
  const pages: (string | null)[][] = [];
  let position: string | undefined;
  do {
    const page = await list(limit, position, rejected);
    pages.push(page.ids);
    position = page.position;
  } while (position !== undefined);
  return pages;
}

test('pages have each upload once, newest first, and the last page says that it is the last', async () => {
  const nowMs = device.clock.now();
  const ids = ['e', 'd', 'c', 'b', 'a'];
  for (const [at, id] of ids.entries()) await put(id, nowMs - at * 60_000);
  expect(await listPages(2)).toEqual([['e', 'd'], ['c', 'b'], ['a']]);
  expect(await listPages(1)).toEqual(ids.map((id) => [id]));
  for (const limit of [5, 6, 20]) expect(await listPages(limit)).toEqual([ids]);
});

test('pages of rejected uploads have each of them once, and pass at most 1,000 others', async () => {
  const nowMs = device.clock.now();
  const rejected = new Set([0, 1, 2, 1_500]);
  for (let at = 0; at <= 1_500; at++)
    await put(`bat_${at}`, nowMs - at * 1_000, device.device.id, rejected.has(at) ? 1 : 0);
  const pages = await listPages(2, true);
  expect(pages.flat()).toEqual([0, 1, 2, 1_500].map((at) => `bat_${at}`));
  expect(pages.map(({ length }) => length)).toEqual([2, 1, 1]);
});

test('an upload is listed for exactly 30 days, although its row is still there', async () => {
  const nowMs = device.clock.now();
  await put('kept', nowMs - retentionMs);
  await put('expired', nowMs - retentionMs - 1);
  expect(await listPages(20)).toEqual([['kept']]);
  expect(uploadSummaryDays).toBe(30);
});

test('a removed device takes its own uploads along, and no others', async () => {
  const nowMs = device.clock.now();
  await put('own', nowMs - 1);
  await put('other', nowMs - 2, 'dev_other');
  await uploadSummaryRows(device.deps.store).removeByDevice(device.userId, device.device.id);
  expect(await listPages(20)).toEqual([['other']]);
});

test('a user of another account or environment is not found', async () => {
  await put('own', device.clock.now());
  for (const caller of [
    { ...device.caller, account: 'acc_other' },
    { ...device.caller, env: 'sandbox' as const },
  ])
    await expect(
      listUploads(device.deps, caller, device.userId, {
        ...{ limit: 20, position: undefined, rejected: false },
      }),
    ).rejects.toMatchObject({ code: 'not_found' });
});
