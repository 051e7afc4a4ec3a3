// A user can have at most 50 active devices. Disconnected devices do not count, and reads do not
// pay for them.
import { expect, test } from 'vitest';
import { userRows } from '../../shared/users/user-rows.ts';
import { openPhone } from '../harness/phone.ts';
import { addDevice } from '../harness/stored-data.ts';
import { stepsSample, type TestUser } from '../harness/test-user.ts';
import { testUsers } from '../harness/test-users.ts';

const { createUser, key, system } = testUsers();

const uploadOfDevice = (number: number) => ({
  time_zone: 'UTC',
  device: { name: `Gadget ${number}`, model: `G${number}`, type: 'wrist' },
  samples: [stepsSample(9, 10, number)],
});
const listDevices = async (ada: TestUser): Promise<{ id: string }[]> => (await ada.get('devices')).body.data;

async function addDevices(ada: TestUser, from: number, to: number): Promise<void> {
  const about = { provider: 'apple_health', connection: 'sdk', deviceType: 'wrist' } as const;
  for (let number = from; number <= to; number++)
    await addDevice(system().host.deps, ada.id, { ...about, model: `G${number}`, name: `Gadget ${number}` });
}

async function disconnectDevices(ada: TestUser, devices: { id: string }[]): Promise<void> {
  for (const { id } of devices) {
    const response = await system().call('DELETE', `/v1/users/${ada.id}/devices/${id}`, { token: key() });
    expect(response.status).toBe(204);
  }
  await system().host.drain();
}

/** Returns the read units of a device list and the number of device rows in the user's head. */
async function measureHead(ada: TestUser): Promise<{ units: number; rows: number }> {
  await ada.get('devices');
  await system().host.drain();
  const before = system().calls.length;
  await ada.get('devices');
  const calls = system().calls.slice(before);
  const head = await userRows(system().host.deps.store).readHead(ada.id);
  const rows = head?.rest.filter(({ sk }) => String(sk).startsWith('@DEVICE#')) ?? [];
  return { units: calls.reduce((sum, call) => sum + call.readUnits, 0), rows: rows.length };
}

test('fifty devices are accepted, and the next is rejected until one is disconnected', async () => {
  const ada = await createUser();
  await addDevices(ada, 1, 49);
  expect((await ada.phone.upload(uploadOfDevice(50))).status).toBe(202);
  const response = await ada.phone.upload(uploadOfDevice(51));
  expect([response.status, response.body.error]).toEqual([409, 'limit_reached']);
  expect(response.body.message).toContain('50');
  expect((await ada.phone.upload(uploadOfDevice(50))).status).toBe(202);
  const before = await listDevices(ada);
  expect(before).toHaveLength(50);

  await disconnectDevices(ada, before.slice(0, 1));
  const phone = await openPhone(system(), key(), ada.id);
  expect((await phone.upload(uploadOfDevice(51))).status).toBe(202);
  expect((await phone.upload(uploadOfDevice(52))).body.error).toBe('limit_reached');
});

test('a read pays for connected devices, not for disconnected ones', async () => {
  const ada = await createUser();
  await addDevices(ada, 1, 1);
  const ofOne = await measureHead(ada);
  await addDevices(ada, 2, 20);
  const ofTwenty = await measureHead(ada);
  expect(ofTwenty.rows).toBe(20);
  expect(ofTwenty.units).toBeGreaterThan(ofOne.units);
  await disconnectDevices(ada, (await listDevices(ada)).slice(1));
  expect(await measureHead(ada)).toEqual(ofOne);
});
