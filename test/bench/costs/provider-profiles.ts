// Measures the cost of a connected wearable: a push that delivers a night, a poll that finds
// nothing, and a day of both.
import { createHmac } from 'node:crypto';
import { ouraNight } from '../../harness/sync-world.ts';
import { type CostWorld, openCostWorld } from './cost-world.ts';
import type { MeasuredOperation } from './measured-operation.ts';
import { combine, totalOf, type Usage } from './usage.ts';

export interface ProviderProfiles {
  operations: MeasuredOperation[];
  day: Usage;
}

const account = 'ann';
const pollIntervalMinutes = 15;
const minutesPerDay = 24 * 60;

export async function measureProviderProfiles(): Promise<ProviderProfiles> {
  const world = await openCostWorld();
  const { fakeProvider } = world;
  try {
    const nights: object[] = [];
    const sleepUntil = (day: string) => {
      const id = `night-${day}`;
      nights.push(ouraNight(id, day));
      fakeProvider.fixtures.write('oura', account, { sleep: nights });
      return id;
    };
    for (const day of ['2026-03-07', '2026-03-08', '2026-03-09', '2026-03-10', '2026-03-11']) sleepUntil(day);
    await world.addWebhook(200);
    const user = await world.user();
    await world.connect(user, 'oura', account);
    // Until the history is imported and it is 08:00.
    await world.passMinutes(8 * 60, pollIntervalMinutes);

    let push = await world.measure(() => pushNight(world, sleepUntil('2026-03-12')));
    const nightsToday = async () =>
      (await world.get(user, 'sleep?from_date=2026-03-12&to_date=2026-03-12')).body.data.length;
    // The provider's rate limits may delay it.
    let waited = 0;
    for (; (await nightsToday()) === 0; waited++) {
      if (waited === 15) throw new Error('the push did not produce a night');
      push = combine(push, await world.measurePass(1));
    }
    const polls: Usage[] = [];
    let rest: Usage = {};
    for (let minutes = 0; minutes < minutesPerDay; minutes += pollIntervalMinutes) {
      const before = fakeProvider.requests.length;
      const used = await world.measurePass(pollIntervalMinutes);
      if (fakeProvider.requests.length > before) polls.push(used);
      rest = combine(rest, used);
    }
    // Other polls of the day read more of the past, or find that the day's first values changed.
    const cheapest = polls.toSorted((a, b) => totalOf(a, 'writeUnits') - totalOf(b, 'writeUnits'))[0];
    if (!cheapest) throw new Error('no poll happened for a day');
    return {
      operations: [
        {
          name: 'a push that brings a night',
          usage: push,
          extraRows: [{ name: 'a push that brings a night: until it is readable', unit: 'min', value: waited }],
        },
        { name: 'a poll that finds nothing', usage: cheapest },
        {
          name: 'a day of a wearable that pushes a night',
          usage: combine(push, rest),
          extraRows: [{ name: 'a day of a wearable: polls', unit: 'a day', value: polls.length }],
        },
      ],
      day: combine(push, rest),
    };
  } finally {
    await world.stop();
  }
}

/** Signed as Oura signs its pushes. */
async function pushNight({ system, fakeProvider }: CostWorld, night: string): Promise<void> {
  const body = JSON.stringify({
    event_type: 'create',
    data_type: 'sleep',
    object_id: night,
    user_id: account,
    event_time: new Date(system.clock.now()).toISOString(),
  });
  const stamp = String(Math.floor(system.clock.now() / 1000));
  const key = fakeProvider.credentials('oura').clientSecret;
  const signature = createHmac('sha256', key)
    .update(stamp + body)
    .digest('hex')
    .toUpperCase();
  const headers = { 'x-oura-timestamp': stamp, 'x-oura-signature': signature, 'content-type': 'application/json' };
  const response = await fakeProvider.push(`${system.host.baseUrl}/v1/providers/oura/push`, { headers, body });
  if (response.status >= 300) throw new Error(`the push returned ${response.status}: ${await response.text()}`);
}
