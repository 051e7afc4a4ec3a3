// Uploads that are no longer accepted: from a phone whose device was disconnected, and from one
// whose user was deleted.
import { describe, expect, test } from 'vitest';
import { openPhone } from '../harness/phone.ts';
import { exchange, installation, openSession, refresh } from '../harness/sdk.ts';
import type { ApiResponse } from '../harness/send-request.ts';
import { stepsSample, type TestUser, watch } from '../harness/test-user.ts';
import { testUsers } from '../harness/test-users.ts';

const { createUser, key, system } = testUsers();
const outcomeOf = ({ status, body }: ApiResponse): string => `${status} ${body?.error ?? 'ok'}`;
const stepsUpload = { samples: [stepsSample(9, 10, 100)] };
const uploadOutcome = async (phone: TestUser['phone']) =>
  outcomeOf(await phone.upload({ time_zone: 'UTC', device: watch, ...stepsUpload }));
const listDevices = async (ada: TestUser): Promise<{ id: string; provider: string }[]> =>
  (await ada.get('devices')).body.data;

async function disconnect(ada: TestUser, provider: string): Promise<void> {
  const device = (await listDevices(ada)).find((each) => each.provider === provider);
  const response = await system().call('DELETE', `/v1/users/${ada.id}/devices/${device?.id}`, { token: key() });
  expect(response.status).toBe(204);
}

describe('when a device is disconnected', () => {
  test('its phone can neither upload nor refresh, from that response on', async () => {
    const ada = await createUser();
    await ada.send(watch, stepsUpload);
    await disconnect(ada, 'apple_health');
    expect(await uploadOutcome(ada.phone)).toBe('401 invalid_token');
    expect(outcomeOf(await refresh(system(), ada.phone.refreshToken))).toBe('401 invalid_token');
    expect(await uploadOutcome(ada.phone)).toBe('401 invalid_token');
    await system().host.drain();
    expect(await listDevices(ada)).toEqual([]);
  });

  test('a session that waits for a phone of that provider ends too', async () => {
    const ada = await createUser();
    await ada.send(watch, stepsUpload);
    const waiting = await openSession(system(), key(), ada.id, installation());
    await disconnect(ada, 'apple_health');
    expect(outcomeOf(await exchange(system(), waiting.client_token))).toBe('401 invalid_token');
  });

  test('the phone of another provider keeps working', async () => {
    const ada = await createUser();
    const other = await openPhone(system(), key(), ada.id, 'samsung_health');
    await ada.send(watch, stepsUpload);
    expect(await uploadOutcome(other)).toBe('202 ok');
    await disconnect(ada, 'apple_health');
    expect(await uploadOutcome(other)).toBe('202 ok');
    expect(outcomeOf(await refresh(system(), other.refreshToken))).toBe('200 ok');
  });

  test('a phone that is linked again restores the device, under a new id', async () => {
    const ada = await createUser();
    await ada.send(watch, stepsUpload);
    const [before] = await listDevices(ada);
    await disconnect(ada, 'apple_health');
    const phone = await openPhone(system(), key(), ada.id);
    expect(await uploadOutcome(phone)).toBe('202 ok');
    const [after] = await listDevices(ada);
    expect(after?.id).not.toBe(before?.id);
  });
});

describe('when a user is deleted', () => {
  test.each(['a known device', 'a new device'])('an upload of %s is rejected immediately', async (which) => {
    const ada = await createUser();
    if (which === 'a known device') await ada.send(watch, stepsUpload);
    const response = await system().call('DELETE', `/v1/users/${ada.id}`, { token: key() });
    expect(response.status).toBe(202);
    expect(await uploadOutcome(ada.phone)).toBe('401 invalid_token');
    expect(outcomeOf(await ada.phone.upload({ time_zone: 'UTC', device: watch }))).toBe('401 invalid_token');
    expect(outcomeOf(await refresh(system(), ada.phone.refreshToken))).toBe('401 invalid_token');
    await system().host.drain();
    expect(await uploadOutcome(ada.phone)).toBe('401 invalid_token');
  });
});
