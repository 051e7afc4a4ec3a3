import { expect, test } from 'vitest';
import { parsePauseMs } from '../../../../shared/connections/client/provider-client.ts';
import { isDataCall } from '../../../harness/fake-provider.ts';
import { minutes, syncWorld } from '../../../harness/sync-world.ts';

const nowMs = Date.UTC(2026, 2, 12, 12);
const inSeconds = (seconds: number): string => String(nowMs / 1000 + seconds);

test.each([
  ['for as long as Retry-After says', { 'retry-after': '1800', 'ratelimit-reset': '7' }, 1_800_000],
  ['for the seconds that remain of its limit', { 'ratelimit-reset': '90' }, 90_000],
  ['until the moment its limit resets', { 'x-ratelimit-reset': inSeconds(90) }, 90_000],
  ['for at least a second if that moment has passed', { 'x-ratelimit-reset': inSeconds(-90) }, 1_000],
  ['for at most a day', { 'ratelimit-reset': '9000000' }, 86_400_000],
  ['for a minute if it says nothing', {}, 60_000],
  ['for a minute if the header cannot be parsed', { 'ratelimit-reset': 'soon' }, 60_000],
])('a rate-limited provider is paused %s', (_name, headers, ms) => {
  expect(parsePauseMs(headers, nowMs)).toBe(ms);
});

test('a rate-limited provider is not called again before its limit resets', async () => {
  const world = syncWorld();
  const user = await world.user();
  const device = await world.connect(user, 'ann');
  world.fakeProvider.fault(isDataCall, { status: 429, headers: { 'x-ratelimit-reset': '1800' }, text: '' }, 1);
  world.clock.freeze();
  await world.processQueue();
  expect((await world.readConnection(user, device))?.notBeforeMs).toBe(world.clock.now() + 1_800_000);
});

test('a push does not shorten the backoff of an unavailable provider', async () => {
  const world = syncWorld();
  const user = await world.user();
  await world.connect(user, 'ann');
  const end = world.fakeProvider.fault(isDataCall, { status: 500, headers: {}, text: '' });
  await world.processQueue();
  end();
  world.fakeProvider.requests.length = 0;
  await world.push({ event_type: 'update', data_type: 'sleep', object_id: 'n1', user_id: 'ann' });
  await world.processQueue();
  expect(world.fakeProvider.requests).toEqual([]);
  await world.passTime(minutes(2));
  expect(world.fakeProvider.requests.some(({ path }) => path.endsWith('/sleep/n1'))).toBe(true);
});
