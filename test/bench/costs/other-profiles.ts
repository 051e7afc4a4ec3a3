// What events, reads and deletions cost, and schedules that find nothing.
import { functions } from '../../../infra/functions.ts';
import { triggeredBy } from '../../../infra/local/function-runner.ts';
import { openPhone } from '../../harness/phone.ts';
import type { Receiver } from '../../harness/receiver.ts';
import { upload } from '../../harness/sdk.ts';
import { type CostWorld, openCostWorld } from './cost-world.ts';
import type { Happening } from './happening.ts';
import { dayMs, hourMs, samplesOf, timeZone, uploadBody, weeksBefore } from './phone-day.ts';
import { combine, scale, type Usage, usageOf } from './usage.ts';

export interface OtherProfiles {
  happenings: Happening[];
  monthlyRead: Usage;
  idleHour: Usage;
}

const http = new Set(triggeredBy(functions, 'http').map(({ name }) => name));
const behindTheApi = (usage: Usage): Usage => usageOf(usage, (name) => !http.has(name));

export async function otherProfiles(): Promise<OtherProfiles> {
  const world = await openCostWorld();
  try {
    const idleHour = await idleHourOf(world);
    const receiver = await world.webhook(200);
    const event = behindTheApi(await eventOf(world, receiver));
    const { reads, deletion } = await readsAndDeletion(world, receiver);
    const dead = await deadEndpoint();
    return {
      happenings: [
        { name: 'an event with one webhook, from its commit on', usage: event },
        { name: "a dead endpoint's day of 24 events", usage: dead },
        ...reads,
        deletion,
        { name: 'an idle hour of the stack: schedules', usage: idleHour },
      ],
      monthlyRead: reads[0]?.usage ?? {},
      idleHour,
    };
  } finally {
    await world.stop();
  }
}

/** A quarter of an hour, as every schedule of the map comes by, four times. */
async function idleHourOf(world: CostWorld): Promise<Usage> {
  const { system } = world;
  const schedules = triggeredBy(functions, 'schedule');
  const minutes = 15;
  if (schedules.some(({ trigger }) => minutes % trigger.everyMinutes !== 0))
    throw new Error('a schedule does not come by evenly in a quarter of an hour');
  const quarter = await world.measure(async () => {
    for (let minute = 1; minute <= minutes; minute++) {
      system.clock.advance(60_000);
      for (const { name, trigger } of schedules)
        if (minute % trigger.everyMinutes === 0) await system.host.runSchedule(name);
    }
  });
  return scale(quarter, 60 / minutes);
}

const createOne = (world: CostWorld) => world.ask('POST', '/v1/users', { timezone: timeZone });

/** Ten of them one after the other, since the first ones find nothing warm. */
async function eventOf(world: CostWorld, receiver: Receiver): Promise<Usage> {
  await world.measure(() => createOne(world));
  const before = receiver.received.length;
  const count = 10;
  let used: Usage = {};
  for (let each = 0; each < count; each++) used = combine(used, await world.measure(() => createOne(world)));
  if (receiver.received.length - before !== count) throw new Error('a new user is not one event any more');
  return scale(used, 1 / count);
}

/** Nobody answers well: each hour something happens, and everything due is tried again every ten minutes. */
async function deadEndpoint(): Promise<Usage> {
  const world = await openCostWorld();
  try {
    const receiver = await world.webhook(500);
    await world.pass(10);
    let used: Usage = {};
    for (let hour = 0; hour < 24; hour++) {
      used = combine(used, await world.measure(() => createOne(world)));
      used = combine(used, await world.measurePass(60, 10));
    }
    if (receiver.received.length < 24) throw new Error(`only ${receiver.received.length} deliveries were tried`);
    return behindTheApi(used);
  } finally {
    await world.stop();
  }
}

async function readsAndDeletion(
  world: CostWorld,
  receiver: Receiver,
): Promise<{ reads: Happening[]; deletion: Happening }> {
  const { system, key } = world;
  const { clock } = system;
  const user = await world.user({ timezone: timeZone });
  const { accessToken } = await openPhone(system, key, user);
  const today = Math.floor(clock.now() / dayMs) * dayMs;
  const from = Math.floor(clock.now() / hourMs) * hourMs - hourMs;
  for (const lists of [weeksBefore(today, 366), { samples: samplesOf(from, from + hourMs) }]) {
    const response = await upload(system, accessToken, uploadBody(lists));
    if (response.status !== 202)
      throw new Error(`an upload was answered ${response.status}: ${response.text.slice(0, 500)}`);
  }
  await system.host.drain();
  await world.pass(20, 5);

  const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const reads: Happening[] = [];
  for (const days of [30, 366]) {
    const path = `/v1/users/${user}/daily?from_date=${dateOf(today - days * dayMs)}&to_date=${dateOf(today - dayMs)}`;
    const usage = await world.measure(async () => {
      const { body } = await world.ask('GET', path);
      if (!body.series.steps?.every((value: unknown) => typeof value === 'number')) throw new Error('days are missing');
    });
    reads.push({ name: `a read of ${days} days, every metric`, usage });
  }
  return { reads, deletion: await deletionOf(world, receiver, user) };
}

const givesUpAfterSeconds = 1_800;

/** Of a year of days, until the event that is its receipt. */
async function deletionOf(world: CostWorld, receiver: Receiver, user: string): Promise<Happening> {
  const { clock } = world.system;
  const isReceipt = ({ event_type, user_id }: { event_type: string; user_id: string }) =>
    event_type === 'user.deleted' && user_id === user;
  const hasReceipt = () => receiver.received.some(({ body }) => isReceipt(JSON.parse(body)));
  const startMs = clock.now();
  let used = await world.measure(() => world.ask('DELETE', `/v1/users/${user}`));
  let seconds = 0;
  while (!hasReceipt()) {
    seconds++;
    if (seconds > givesUpAfterSeconds) throw new Error('a deletion had no receipt for half an hour');
    const advance = async () => clock.advance(startMs + seconds * 1_000 - clock.now());
    used = combine(used, await world.measure(advance));
    if (seconds % 60 === 0) used = combine(used, await world.measureSchedules());
  }
  return {
    name: "a deletion of a year's days",
    usage: used,
    more: [{ name: "a deletion of a year's days: until its receipt", unit: 's', value: seconds }],
  };
}
