import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { minutes, syncWorld } from '../../../harness/sync-world.ts';

const night = (id: number, day: string) => ({
  timestamp: `${day}T07:00:00+00:00`,
  entryData: {
    SleepId: id,
    BedtimeStart: `${day}T00:00:00+00:00`,
    BedtimeEnd: `${day}T07:00:00+00:00`,
    DeepSleepDuration: 3_600,
    LightSleepDuration: 14_400,
    REMSleepDuration: 3_600,
  },
});

test('data pushed while a window is fetched is not overwritten by the older response', async () => {
  const world = syncWorld({ provider: 'suunto' });
  const user = await world.user();
  await world.connect(user, 'ann');
  let isFirst = true;
  world.fakeProvider.beforeReply = async ({ path }) => {
    // The nights were returned before this request, without the new one.
    if (!isFirst || !path.includes('workouts')) return;
    isFirst = false;
    world.fakeProvider.fixtures.write('suunto', 'ann', { sleep: [night(1, '2026-03-11')] });
    const body = JSON.stringify({
      type: 'SUUNTO_247_SLEEP_CREATED',
      username: 'ann',
      samples: [night(1, '2026-03-11')],
    });
    const key = world.fakeProvider.credentials.more['notification_secret'] ?? '';
    const signature = createHmac('sha256', key).update(body).digest('hex');
    await world.pushRaw(body, { headers: { 'x-hmac-sha256-signature': signature } });
  };
  await world.processQueue();
  for (let i = 0; i < 5; i++) await world.passTime(minutes(1));
  expect(isFirst).toBe(false);
  expect((await world.nights(user)).map(({ date }) => date)).toEqual(['2026-03-11']);
});
