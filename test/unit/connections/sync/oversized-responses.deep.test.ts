import { expect, test } from 'vitest';
import type { ProviderResponse } from '../../../../shared/providers/kit/request-flow.ts';
import { hours, minutes, ouraNight, syncWorld } from '../../../harness/sync-world.ts';

/** Each page links to another one. */
function makeEndlessPage(megabytes: number): ProviderResponse {
  const padding = 'x'.repeat(megabytes * 1_000_000);
  let pages = 0;
  return {
    ...{ status: 200, headers: {} },
    get text() {
      return `{"data":[],"next_token":"page ${pages++}","said":"${padding}"}`;
    },
  };
}

test('a provider that pages without end is read only as far as fits, then for fewer days, and the other days arrive', async () => {
  const world = syncWorld();
  const user = await world.user();
  const device = await world.connect(user, 'ann');
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: [ouraNight('old', '2026-01-10')] });
  const isBad = ({ from = '', to = '' }) => from <= '2026-03-01' && to >= '2026-03-01';
  world.fakeProvider.fault(
    ({ path, query }) =>
      path.endsWith('/workout') && isBad({ from: query['start_date'] ?? '', to: query['end_date'] ?? '' }),
    makeEndlessPage(7),
  );
  await world.processQueue();
  expect(world.fakeProvider.requests.filter(({ path }) => path.endsWith('/workout'))).toHaveLength(4);
  const { stride = 0, failures } = (await world.readConnection(user, device)) ?? {};
  expect([stride > 0 && stride < 30, failures]).toEqual([true, 1]);
  for (let i = 0; i < 100 && (await world.nights(user)).length === 0; i++)
    await world.passTime(i < 60 ? minutes(20) : hours(2));
  expect((await world.nights(user)).map(({ id }) => id)).toEqual(['old']);
});

test('a large response that fits is accepted', async () => {
  const world = syncWorld();
  const user = await world.user();
  const device = await world.connect(user, 'ann');
  const { text } = makeEndlessPage(15);
  world.fakeProvider.fault(
    ({ path }) => path.endsWith('/workout'),
    { status: 200, headers: {}, text: text.replace('"page 0"', 'null') },
    1,
  );
  await world.processQueue();
  expect((await world.readConnection(user, device))?.failures).toBe(0);
});
