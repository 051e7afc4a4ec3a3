// Measures the cost of events, reads, deletions and idle schedules.
import { functions } from '../../../infra/functions.ts';
import { listByTrigger } from '../../../infra/local/function-runner.ts';
import { openPhone } from '../../harness/phone.ts';
import type { Receiver } from '../../harness/receiver.ts';
import { upload } from '../../harness/sdk.ts';
import { type CostWorld, openCostWorld } from './cost-world.ts';
import type { MeasuredOperation } from './measured-operation.ts';
import { dayMs, hourMs, makeSamples, makeWeeksBefore, timeZone, uploadBody } from './phone-day.ts';
import { combine, filterUsage, scale, type Usage } from './usage.ts';

export interface OtherProfiles {
  operations: MeasuredOperation[];
  monthlyRead: Usage;
  idleHour: Usage;
}

const http = new Set(listByTrigger(functions, 'http').map(({ name }) => name));
const withoutHttpFunctions = (usage: Usage): Usage => filterUsage(usage, (name) => !http.has(name));

export async function measureOtherProfiles(): Promise<OtherProfiles> {
  const world = await openCostWorld();
  try {
    const idleHour = await measureIdleHour(world);
    const receiver = await world.addWebhook(200);
    const event = withoutHttpFunctions(await measureEvent(world, receiver));
    const { reads, deletion } = await measureReadsAndDeletion(world, receiver);
    const dead = await measureDeadEndpoint();
    return {
      operations: [
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

/** Fifteen minutes of every schedule in the function manifest, times four. */
async function measureIdleHour(world: CostWorld): Promise<Usage> {
  const { system } = world;
  const schedules = listByTrigger(functions, 'schedule');
  const minutes = 15;
  if (schedules.some(({ trigger }) => minutes % trigger.everyMinutes !== 0))
    throw new Error('the interval of a schedule does not divide 15 minutes');
  const quarter = await world.measure(async () => {
    for (let minute = 1; minute <= minutes; minute++) {
      system.clock.advance(60_000);
      for (const { name, trigger } of schedules)
        if (minute % trigger.everyMinutes === 0) await system.host.runSchedule(name);
    }
  });
  return scale(quarter, 60 / minutes);
}

const createUser = (world: CostWorld) => world.request('POST', '/v1/users', { timezone: timeZone });

/** Averages ten events in a row, because the first ones run cold. */
async function measureEvent(world: CostWorld, receiver: Receiver): Promise<Usage> {
  await world.measure(() => createUser(world));
  const before = receiver.received.length;
  const count = 10;
  let used: Usage = {};
  for (let each = 0; each < count; each++) used = combine(used, await world.measure(() => createUser(world)));
  if (receiver.received.length - before !== count) throw new Error('a new user no longer causes exactly one event');
  return scale(used, 1 / count);
}

/**
 * The endpoint always fails. One event happens each hour, and due retries run every ten minutes.
 */
async function measureDeadEndpoint(): Promise<Usage> {
  const world = await openCostWorld();
  try {
    const receiver = await world.addWebhook(500);
    await world.passMinutes(10);
    let used: Usage = {};
    for (let hour = 0; hour < 24; hour++) {
      used = combine(used, await world.measure(() => createUser(world)));
      used = combine(used, await world.measurePass(60, 10));
    }
    if (receiver.received.length < 24) throw new Error(`only ${receiver.received.length} deliveries were attempted`);
    return withoutHttpFunctions(used);
  } finally {
    await world.stop();
  }
}

async function measureReadsAndDeletion(
  world: CostWorld,
  receiver: Receiver,
): Promise<{ reads: MeasuredOperation[]; deletion: MeasuredOperation }> {
  const { system, key } = world;
  const { clock } = system;
  const user = await world.user({ timezone: timeZone });
  const { accessToken } = await openPhone(system, key, user);
  const today = Math.floor(clock.now() / dayMs) * dayMs;
  const from = Math.floor(clock.now() / hourMs) * hourMs - hourMs;
  for (const lists of [makeWeeksBefore(today, 366), { samples: makeSamples(from, from + hourMs) }]) {
    const response = await upload(system, accessToken, uploadBody(lists));
    if (response.status !== 202)
      throw new Error(`the upload returned ${response.status}: ${response.text.slice(0, 500)}`);
  }
  await system.host.drain();
  await world.passMinutes(20, 5);

  const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const reads: MeasuredOperation[] = [];
  for (const days of [30, 366]) {
    const path = `/v1/users/${user}/daily?from_date=${dateOf(today - days * dayMs)}&to_date=${dateOf(today - dayMs)}`;
    const usage = await world.measure(async () => {
      const { body } = await world.request('GET', path);
      if (!body.series.steps?.every((value: unknown) => typeof value === 'number')) throw new Error('days are missing');
    });
    reads.push({ name: `a read of ${days} days, every metric`, usage });
  }
  return { reads, deletion: await measureDeletion(world, receiver, user) };
}

const deletionTimeoutSeconds = 1_800;

/** Deletes a year of days and waits for the `user.deleted` event. */
async function measureDeletion(world: CostWorld, receiver: Receiver, user: string): Promise<MeasuredOperation> {
  const { clock } = world.system;
  const isReceipt = ({ event_type, user_id }: { event_type: string; user_id: string }) =>
    event_type === 'user.deleted' && user_id === user;
  const hasReceipt = () => receiver.received.some(({ body }) => isReceipt(JSON.parse(body)));
  const startMs = clock.now();
  let used = await world.measure(() => world.request('DELETE', `/v1/users/${user}`));
  let seconds = 0;
  while (!hasReceipt()) {
    seconds++;
    if (seconds > deletionTimeoutSeconds)
      throw new Error('no user.deleted event arrived within 30 minutes of the deletion');
    const advance = async () => clock.advance(startMs + seconds * 1_000 - clock.now());
    used = combine(used, await world.measure(advance));
    if (seconds % 60 === 0) used = combine(used, await world.measureSchedules());
  }
  return {
    name: "a deletion of a year's days",
    usage: used,
    extraRows: [{ name: "a deletion of a year's days: until its receipt", unit: 's', value: seconds }],
  };
}
