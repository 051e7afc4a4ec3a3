// A large account whose only receiver is slow and was down for a while: how long until it is level
// with its feed, and how late the webhooks of other accounts are in the meantime. Runs the real
// workers in virtual time, with the concurrency of the function manifest.
import { makeDeps } from '../../functions/runtime/deps.ts';
import { handler as deliverHandler } from '../../functions/workers/deliver.ts';
import { sweepWorker } from '../../functions/workers/sweep.ts';
import type { EventRow } from '../../shared/events/event-row.ts';
import { type FeedName, feedRows, splitIntoPages } from '../../shared/events/feed-rows.ts';
import type { WebhookClient } from '../../shared/platform/ports.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { makeId } from '../../shared/system/ids.ts';
import { registerWebhook } from '../../shared/webhooks/endpoints.ts';
import { countDeliveries } from '../../shared/webhooks/event-routing.ts';
import { newEvent, newFeedName, oneTo } from '../harness/outbox.ts';
import { latencies } from './scale/aws-simulation.ts';
import { syncsPerSecond } from './scale/fleet.ts';
import { type SimulationLog, simulatedQueue } from './scale/simulated-queue.ts';
import { virtualTime } from './scale/virtual-time.ts';
import { outageTable } from './webhook-outage-table.ts';

export interface OutageOptions {
  users: number;
  /** How long the receiver takes for a request. */
  receiverMs: number;
  outageMinutes: number;
  /** The simulation ends when the receiver is level, or this long after the outage. */
  maxMinutes: number;
  /** Accounts with a quick receiver each, and a few events every second. */
  others: number;
}

export interface Outage {
  eventsPerSecond: number;
  missed: number;
  /** After the end of the outage; undefined if the receiver was not level in time. */
  levelMinutes: number | undefined;
  /** From the end of the outage to the first new event that is sent as it is published. */
  freshMinutes: number | undefined;
  published: number;
  delivered: number;
  doubled: number;
  /** Table writes of the receiver's row, for each delivery. */
  rowWrites: number;
  maxRuns: number;
  /** From the publication to the request, in seconds, while the large receiver catches up. */
  others: { median: number; p99: number; longest: number };
  /** The same before the outage. */
  othersBefore: { median: number; p99: number; longest: number };
}

const startMs = Date.UTC(2026, 2, 12, 8, 0);
/** The measured cost of a sync includes two events. */
const eventsPerSync = 2;
const quietMinutes = 1;
const quickMs = 80;
const rootSecret = 'a root secret of more than 32 characters';

export async function measureOutage(options: OutageOptions): Promise<Outage> {
  const { users, receiverMs, outageMinutes, maxMinutes } = options;
  const time = virtualTime(startMs);
  const wait = (milliseconds: number) => time.sleep(milliseconds);
  const table = outageTable(wait, latencies);
  const downMs = startMs + quietMinutes * 60_000;
  const upMs = downMs + outageMinutes * 60_000;
  const slowUrl = 'http://127.0.0.1:9/slow';
  const publishedMs = new Map<string, number>();
  const [waitsBefore, waits]: number[][] = [[], []];
  let [delivered, freshMs]: [number, number | undefined] = [0, undefined];
  const webhookClient: WebhookClient = {
    async post({ url, headers }) {
      const isSlow = url === slowUrl;
      const id = String(headers['webhook-id']);
      const sentMs = publishedMs.get(id);
      if (!isSlow && sentMs !== undefined) {
        (time.now() < downMs ? waitsBefore : waits)?.push((time.now() - sentMs) / 1_000);
        publishedMs.delete(id);
      }
      const isDown = isSlow && time.now() >= downMs && time.now() < upMs;
      await wait(isSlow ? receiverMs : quickMs);
      if (isSlow && !isDown) {
        delivered += 1;
        // Time is in the first characters of an id.
        if (time.now() > upMs && freshMs === undefined && id >= makeId('event', upMs, new Uint8Array(10)))
          freshMs = time.now();
      }
      return { kind: 'answered', status: isDown ? 503 : 204, body: '', retryAfter: undefined };
    },
  };
  const log: SimulationLog = (level, code, fields) => {
    if (process.env['BENCH_DETAILS'] && level !== 'info')
      process.stderr.write(`${time.now() - startMs} ${code} ${JSON.stringify(fields)} ${String(fields?.cause)}\n`);
  };
  const queues = { deliver: undefined as ReturnType<typeof simulatedQueue> | undefined };
  const put = (queue: string, body: unknown, delaySeconds = 0) => {
    if (queue === 'deliver') queues.deliver?.send(body, { delaySeconds });
  };
  const deps: Deps = makeDeps({
    table: table.table,
    queue: {
      async send(queue, body, sent) {
        await wait(latencies.send);
        put(queue, body, sent?.delaySeconds);
      },
      async sendAll(queue, bodies) {
        await wait(latencies.send);
        for (const body of bodies) put(queue, body);
      },
      postpone: async () => {},
    },
    bus: { publish: async () => {} },
    webhookClient,
    rootSecret,
    clock: { now: time.now },
    log,
    deployment: { kind: 'local' },
  });
  // One instance for each concurrent run, as on Lambda.
  const idle: ReturnType<typeof deliverHandler.build>[] = [];
  let [running, maxRuns] = [0, 0];
  queues.deliver = simulatedQueue({
    ...{ name: 'deliver', time, wait, log },
    async run(_name, event) {
      const instance = idle.pop() ?? deliverHandler.build(deps);
      running += 1;
      maxRuns = Math.max(maxRuns, running);
      try {
        // The simulated queue builds the event that Lambda does.
        return await instance(event as Parameters<typeof instance>[0]);
      } finally {
        running -= 1;
        idle.push(instance);
      }
    },
  });

  const register = async (feed: FeedName, url: string) =>
    (await registerWebhook(deps, { kind: 'api_key', ...feed, form: 2 }, { url, events: ['*'] })).id;
  const slowFeed = newFeedName();
  const eventsPerSecond = syncsPerSecond(users) * eventsPerSync;
  const otherFeeds = oneTo(options.others).map(() => newFeedName());
  const setUp = (async () => {
    for (const [at, feed] of otherFeeds.entries()) await register(feed, `http://127.0.0.1:9/quick-${at}`);
    return register(slowFeed, slowUrl);
  })();
  const [hook] = await Promise.all([time.track(setUp), time.run()]);

  let published = 0;
  async function publish(feed: FeedName, count: number): Promise<void> {
    const events: EventRow[] = oneTo(count).map(() => {
      const { account: _account, env: _env, ...event } = newEvent(feed, { atMs: time.now() });
      return event;
    });
    if (feed !== slowFeed) for (const { id } of events) publishedMs.set(id, time.now());
    for (const page of splitIntoPages(events.map((event) => ({ events: [event] })))) {
      const end = await feedRows(deps.store).readEnd(feed);
      const { now } = await countDeliveries(deps, feed, page.events, end.next);
      const counts = { uploads: 0, records: 0, deliveries: 0 };
      const writes = feedRows(deps.store).buildAppend(feed, end, { ...page, isPending: now > 0, counts }, time.now());
      try {
        await deps.store.commit(writes);
      } catch {
        // An endpoint closed its circuit in between: the writer numbers the page again.
        await appendAgain(feed, page);
        continue;
      }
      if (now > 0) await announce(feed, end.next);
    }
    if (feed === slowFeed) published += count;
  }
  async function appendAgain(feed: FeedName, page: ReturnType<typeof splitIntoPages>[number]): Promise<void> {
    const end = await feedRows(deps.store).readEnd(feed);
    const { now } = await countDeliveries(deps, feed, page.events, end.next);
    const counts = { uploads: 0, records: 0, deliveries: 0 };
    await deps.store.commit(
      feedRows(deps.store).buildAppend(feed, end, { ...page, isPending: now > 0, counts }, time.now()),
    );
    if (now > 0) await announce(feed, end.next);
  }
  async function announce(feed: FeedName, first: number): Promise<void> {
    await wait(latencies.bus);
    put('deliver', { account_id: feed.account, env: feed.env, first });
  }

  const endMs = upMs + maxMinutes * 60_000;
  let levelMs: number | undefined;
  const isOver = () => levelMs !== undefined || time.now() >= endMs;
  const traffic = async () => {
    let owed = 0;
    for (let second = 0; !isOver(); second += 1) {
      const nextMs = time.now() + 1_000;
      owed += eventsPerSecond;
      const count = Math.floor(owed);
      owed -= count;
      await Promise.all([
        publish(slowFeed, count),
        ...otherFeeds.filter((_feed, at) => at % 5 === second % 5).map((feed) => publish(feed, 3)),
      ]);
      await wait(Math.max(0, nextMs - time.now()));
    }
  };
  const schedules = async () => {
    const sweep = sweepWorker(deps);
    while (!isOver()) {
      await wait(60_000);
      await sweep().catch((error: unknown) => log('warn', 'sweep_failed', { cause: error }));
      const minutes = Math.round((time.now() - upMs) / 60_000);
      if (process.env['BENCH_DETAILS'])
        process.stderr.write(`minute ${minutes}: ${published} published, ${delivered} delivered, ${maxRuns} runs\n`);
      // A few seconds of events are always on their way.
      const isLevel = published - table.deliveries(hook) < 20 * eventsPerSecond;
      if (time.now() > upMs && isLevel) levelMs ??= time.now();
    }
  };
  await Promise.all([time.track(traffic()), time.track(schedules()), time.run(endMs + 120_000)]);

  const unique = table.deliveries(hook);
  const minutesAfter = (ms: number | undefined) => (ms === undefined ? undefined : (ms - upMs) / 60_000);
  return {
    eventsPerSecond,
    missed: Math.round(eventsPerSecond * outageMinutes * 60),
    levelMinutes: minutesAfter(levelMs),
    freshMinutes: minutesAfter(freshMs),
    published,
    delivered,
    doubled: delivered - unique,
    rowWrites: table.rowWrites(hook) / Math.max(1, delivered),
    maxRuns,
    others: summarize(waits ?? []),
    othersBefore: summarize(waitsBefore ?? []),
  };
}

function summarize(values: readonly number[]): { median: number; p99: number; longest: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { median: at(0.5), p99: at(0.99), longest: at(1) };
}
