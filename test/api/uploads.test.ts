// What arrived for a user, in numbers.
import { beforeAll, expect, test } from 'vitest';
import { openPhone } from '../harness/phone.ts';
import { timeTravelSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';

let system: System;
beforeAll(async () => {
  system = await timeTravelSystem();
});

const dayMs = 24 * 3_600_000;
const steps = (value: number, more: object = {}) => ({
  metric: 'steps',
  date: new Date(system.clock.now()).toISOString().slice(0, 10),
  value,
  unit: 'count',
  ...more,
});
const device = { name: 'Watch', model: 'W1', type: 'wrist' };
const body = (daily: object[]) => ({ time_zone: 'UTC', device, daily });

async function openPerson() {
  const { live_key: token } = await system.account();
  const user = await system.user(token);
  const phone = await openPhone(system, token, user);
  const list = async (query = '') => (await system.call('GET', `/v1/users/${user}/uploads${query}`, { token })).body;
  return { token, user, phone, list };
}

test('an upload is listed with its device and why records were rejected, without a value', async () => {
  const { token, user, phone, list } = await openPerson();
  const bad = [steps(-31_337), steps(-31_338), steps(1, { unit: 'miles' }), steps(1, { metric: 'my secret' })];
  const { rejected } = (await phone.upload(body([steps(4711), ...bad]))).body;
  const sentences = rejected.map(({ message }: { message: string }) => message);
  const { data: devices } = (await system.call('GET', `/v1/users/${user}/devices`, { token })).body;
  const page = await list();
  expect(page).toEqual({
    data: [
      {
        batch_id: expect.stringMatching(/^bat_/),
        received_at: expect.any(String),
        device_id: devices[0].id,
        kind: 'upload',
        records: 5,
        accepted: 1,
        rejected: 4,
        failure: null,
        rejections: [
          { code: 'implausible_value', metric: 'steps', message: sentences[0], count: 2 },
          { code: 'invalid_unit', metric: 'steps', message: sentences[2], count: 1 },
          { code: 'unknown_metric', metric: null, message: sentences[3], count: 1 },
        ],
      },
    ],
    next_cursor: null,
  });
  for (const secret of ['31337', '31338', '4711', 'secret']) expect(JSON.stringify(page)).not.toContain(secret);
});

test('an unknown field of an upload is counted, without its name', async () => {
  const { phone, list } = await openPerson();
  const { rejected } = (await phone.upload({ ...body([steps(4711)]), my_secret: [1, 2] })).body;
  expect(rejected).toMatchObject([{ path: 'my_secret', code: 'invalid_record' }]);
  const page = await list('?rejected=true');
  const [{ code, message }] = rejected;
  expect(page.data).toMatchObject([
    { records: 2, accepted: 1, rejected: 1, rejections: [{ code, metric: null, message, count: 1 }] },
  ]);
  expect(JSON.stringify(page)).not.toContain('secret');
});

test('an upload of which everything was rejected is listed without a device, once per minute', async () => {
  const { phone, list } = await openPerson();
  system.clock.advance(60_000 - (system.clock.now() % 60_000));
  const reject = () => phone.upload(body([steps(-1)])).catch(() => undefined);
  await reject();
  await reject();
  expect((await list()).data).toMatchObject([{ device_id: null, accepted: 0, rejected: 1, records: 1 }]);
  system.clock.advance(60_000);
  await reject();
  expect((await list()).data).toHaveLength(2);
});

test('uploads are paged from the newest, and end after 30 days', async () => {
  const { phone, list } = await openPerson();
  for (let at = 1; at <= 3; at++) {
    await phone.upload(body([steps(at), steps(-1)]));
    system.clock.advance(60_000);
  }
  const { data: all } = await list();
  expect(all).toHaveLength(3);
  const times = all.map(({ received_at }: { received_at: string }) => received_at);
  expect(times).toEqual(times.toSorted().toReversed());
  const first = await list('?limit=2');
  const second = await list(`?limit=2&cursor=${first.next_cursor}`);
  expect([...first.data, ...second.data]).toEqual(all);
  expect(second.next_cursor).toBeNull();
  system.clock.advance(30 * dayMs);
  expect((await list()).data).toEqual([]);
});

test('an upload that is accepted as a whole is listed once, and not among the rejected ones', async () => {
  const { phone, list } = await openPerson();
  await phone.upload(body([steps(4711)]));
  await phone.upload(body([steps(4711)]));
  await system.host.drain();
  expect((await list()).data).toMatchObject([{ records: 1, accepted: 1, rejected: 0, failure: null }]);
  expect((await list('?rejected=true')).data).toEqual([]);
});

test('an upload is listed again if more of it is rejected than of the one before, and once if not', async () => {
  const { phone, list } = await openPerson();
  const more = body([steps(10), steps(1, { unit: 'miles' })]);
  for (const each of [body([steps(10)]), more, more]) expect((await phone.upload(each)).body.accepted).toBe(1);
  const listed = (await list()).data.map(({ rejected }: { rejected: number }) => rejected);
  expect([listed, (await list('?rejected=true')).data.length]).toEqual([[1, 0], 1]);
});

test('uploads of one minute are listed newest first, whether they were rejected or not', async () => {
  const { phone, list } = await openPerson();
  const minuteMs = 60_000;
  system.clock.advance(minuteMs - (system.clock.now() % minuteMs));
  for (const each of [steps(1), steps(1, { unit: 'miles' }), steps(2)]) {
    system.clock.advance(5_000);
    await phone.upload(body([each]));
  }
  expect((await list()).data.map(({ rejected }: { rejected: number }) => rejected)).toEqual([0, 1, 0]);
});

test('an upload without records is not listed', async () => {
  const { phone, list } = await openPerson();
  await phone.upload(body([]));
  expect((await list()).data).toEqual([]);
});

test('an upload that fails as a whole is listed with the sentence of its response, once per minute', async () => {
  const person = await openPerson();
  const { phone, list } = person;
  system.clock.advance(60_000 - (system.clock.now() % 60_000));
  const fail = (raw: string) =>
    system.call('POST', '/v1/sdk/data', {
      token: phone.accessToken,
      raw,
      headers: { 'content-type': 'application/json' },
    });
  await fail('{');
  const { status, body: failed } = await fail('{"device": 1}');
  expect(status).toBe(400);
  const expected = {
    ...{ batch_id: null, device_id: null, kind: 'upload', records: null, accepted: 0, rejected: null, rejections: [] },
    failure: { code: failed.error, message: failed.message },
  };
  expect((await list()).data).toEqual([{ ...expected, received_at: expect.any(String) }]);
  expect((await list('?rejected=true')).data).toHaveLength(1);
  // Neither hides the rejected records of the same minute, nor another phone's.
  const other = await openPhone(system, person.token, person.user, 'health_connect');
  await phone.upload(body([steps(-1)]));
  await other.upload(body([steps(-1)]));
  await fail('{');
  expect((await list('?rejected=true')).data).toHaveLength(3);
});

test('a removed device leaves none', async () => {
  const { token, user, phone, list } = await openPerson();
  await phone.upload(body([steps(4711), steps(-1)]));
  const [{ device_id }] = (await list()).data;
  await system.call('DELETE', `/v1/users/${user}/devices/${device_id}`, { token });
  await system.host.drain();
  expect((await list()).data).toEqual([]);
});
