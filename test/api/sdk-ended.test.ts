// Whose data comes in no longer: a phone whose device was disconnected, and one whose user is deleted.
import { describe, expect, test } from 'vitest';
import type { Told } from '../harness/ask.ts';
import { people } from '../harness/people.ts';
import { type Person, steps, watch } from '../harness/person.ts';
import { openPhone } from '../harness/phone.ts';
import { exchange, installation, openSession, refresh } from '../harness/sdk.ts';

const { person, key, system } = people();
const code = ({ status, body }: Told): string => `${status} ${body?.error ?? 'ok'}`;
const walk = { samples: [steps(9, 10, 100)] };
const uploaded = async (phone: Person['phone']) =>
  code(await phone.upload({ time_zone: 'UTC', device: watch, ...walk }));
const devicesOf = async (ada: Person): Promise<{ id: string; provider: string }[]> =>
  (await ada.get('devices')).body.data;

async function disconnect(ada: Person, provider: string): Promise<void> {
  const device = (await devicesOf(ada)).find((each) => each.provider === provider);
  const told = await system().call('DELETE', `/v1/users/${ada.id}/devices/${device?.id}`, { token: key() });
  expect(told.status).toBe(204);
}

describe('when a device is disconnected', () => {
  test('its phone is let in no more, neither to upload nor to refresh, from that answer on', async () => {
    const ada = await person();
    await ada.send(watch, walk);
    await disconnect(ada, 'apple_health');
    expect(await uploaded(ada.phone)).toBe('401 invalid_token');
    expect(code(await refresh(system(), ada.phone.refreshToken))).toBe('401 invalid_token');
    expect(await uploaded(ada.phone)).toBe('401 invalid_token');
    await system().host.drain();
    expect(await devicesOf(ada)).toEqual([]);
  });

  test('a session that waits for a phone of that provider is over, too', async () => {
    const ada = await person();
    await ada.send(watch, walk);
    const waiting = await openSession(system(), key(), ada.id, installation());
    await disconnect(ada, 'apple_health');
    expect(code(await exchange(system(), waiting.client_token))).toBe('401 invalid_token');
  });

  test('the phone of another provider goes on', async () => {
    const ada = await person();
    const other = await openPhone(system(), key(), ada.id, 'samsung_health');
    await ada.send(watch, walk);
    expect(await uploaded(other)).toBe('202 ok');
    await disconnect(ada, 'apple_health');
    expect(await uploaded(other)).toBe('202 ok');
    expect(code(await refresh(system(), other.refreshToken))).toBe('200 ok');
  });

  test('a phone that is linked anew brings the device back, as a new one', async () => {
    const ada = await person();
    await ada.send(watch, walk);
    const [before] = await devicesOf(ada);
    await disconnect(ada, 'apple_health');
    const phone = await openPhone(system(), key(), ada.id);
    expect(await uploaded(phone)).toBe('202 ok');
    const [after] = await devicesOf(ada);
    expect(after?.id).not.toBe(before?.id);
  });
});

describe('when a user is deleted', () => {
  test.each(['a device that is known', 'a new device'])('an upload of %s is refused at once', async (which) => {
    const ada = await person();
    if (which === 'a device that is known') await ada.send(watch, walk);
    const told = await system().call('DELETE', `/v1/users/${ada.id}`, { token: key() });
    expect(told.status).toBe(202);
    expect(await uploaded(ada.phone)).toBe('401 invalid_token');
    expect(code(await ada.phone.upload({ time_zone: 'UTC', device: watch }))).toBe('401 invalid_token');
    expect(code(await refresh(system(), ada.phone.refreshToken))).toBe('401 invalid_token');
    await system().host.drain();
    expect(await uploaded(ada.phone)).toBe('401 invalid_token');
  });
});
