// What a wearable with a provider costs: a push that brings a night, a poll that finds nothing, and a day of both.
import { createHmac } from 'node:crypto';
import { ouraNight } from '../../harness/sync-world.ts';
import { type CostWorld, openCostWorld } from './cost-world.ts';
import type { Happening } from './happening.ts';
import { combine, totalOf, type Usage } from './usage.ts';

export interface ProviderProfiles {
  happenings: Happening[];
  day: Usage;
}

const account = 'ann';
const pollsEveryMinutes = 15;
const minutesADay = 24 * 60;

export async function providerProfiles(): Promise<ProviderProfiles> {
  const world = await openCostWorld();
  const { vendor } = world;
  try {
    const nights: object[] = [];
    const sleepUntil = (day: string) => {
      const id = `night-${day}`;
      nights.push(ouraNight(id, day));
      vendor.fixtures.write('oura', account, { sleep: nights });
      return id;
    };
    for (const day of ['2026-03-07', '2026-03-08', '2026-03-09', '2026-03-10', '2026-03-11']) sleepUntil(day);
    await world.webhook(200);
    const user = await world.user();
    await world.connect(user, 'oura', account);
    // Until its history is there, and it is eight in the morning.
    await world.pass(8 * 60, pollsEveryMinutes);

    let push = await world.measure(() => announce(world, sleepUntil('2026-03-12')));
    const nightsToday = async () =>
      (await world.get(user, 'sleep?from_date=2026-03-12&to_date=2026-03-12')).body.data.length;
    // The provider's limits may hold it back for a while.
    let waited = 0;
    for (; (await nightsToday()) === 0; waited++) {
      if (waited === 15) throw new Error('the push brought no night');
      push = combine(push, await world.measurePass(1));
    }
    const polls: Usage[] = [];
    let rest: Usage = {};
    for (let minutes = 0; minutes < minutesADay; minutes += pollsEveryMinutes) {
      const before = vendor.requests.length;
      const used = await world.measurePass(pollsEveryMinutes);
      if (vendor.requests.length > before) polls.push(used);
      rest = combine(rest, used);
    }
    // Others of the day read more of the past, or find the day's first values changed.
    const cheapest = polls.toSorted((a, b) => totalOf(a, 'writeUnits') - totalOf(b, 'writeUnits'))[0];
    if (!cheapest) throw new Error('nobody was polled for a day');
    return {
      happenings: [
        {
          name: 'a push that brings a night',
          usage: push,
          more: [{ name: 'a push that brings a night: until it is readable', unit: 'min', value: waited }],
        },
        { name: 'a poll that finds nothing', usage: cheapest },
        {
          name: 'a day of a wearable that pushes a night',
          usage: combine(push, rest),
          more: [{ name: 'a day of a wearable: polls', unit: 'a day', value: polls.length }],
        },
      ],
      day: combine(push, rest),
    };
  } finally {
    await world.stop();
  }
}

/** As Oura signs it. */
async function announce({ system, vendor }: CostWorld, night: string): Promise<void> {
  const body = JSON.stringify({
    event_type: 'create',
    data_type: 'sleep',
    object_id: night,
    user_id: account,
    event_time: new Date(system.clock.now()).toISOString(),
  });
  const stamp = String(Math.floor(system.clock.now() / 1000));
  const key = vendor.credentials('oura').clientSecret;
  const signature = createHmac('sha256', key)
    .update(stamp + body)
    .digest('hex')
    .toUpperCase();
  const headers = { 'x-oura-timestamp': stamp, 'x-oura-signature': signature, 'content-type': 'application/json' };
  const response = await vendor.push(`${system.host.baseUrl}/v1/providers/oura/push`, { headers, body });
  if (response.status >= 300) throw new Error(`the push was answered ${response.status}: ${await response.text()}`);
}
