// A peak minute of many users in one deployment: every user syncs, through the real functions, in
// virtual time. Measures the load on each partition of the table and its indexes, and how long
// everything takes.
import { createAccount } from '../../shared/accounts/accounts.ts';
import type { WebhookRequest } from '../../shared/platform/ports.ts';
import { openPhone } from '../harness/phone.ts';
import { upload } from '../harness/sdk.ts';
import { hourMs, makeSamples, makeWeeksBefore, timeZone, uploadBody } from './costs/phone-day.ts';
import { type AwsSimulation, simulateAws } from './scale/aws-simulation.ts';
import type { FunctionLoad } from './scale/function-pool.ts';
import { type HotKey, keyMeter } from './scale/hot-keys.ts';
import { virtualTime } from './scale/virtual-time.ts';

export interface ScaleOptions {
  people: number;
  /** The users are distributed evenly over this many accounts. */
  accounts: number;
  /** Shards of the table's stream. */
  shards: number;
}

export interface Scale {
  /** Per sync, including everything that follows from it. */
  writeUnits: number;
  readUnits: number;
  refusedUnits: number;
  conflictUnits: number;
  peak: { write: number; read: number };
  hottest: HotKey[];
  loads: Record<string, FunctionLoad>;
  depths: Record<string, number>;
  /** From the response to the upload until the first webhook about its user, in seconds. */
  webhookSeconds: { median: number; p99: number; missing: number };
  /** Since the start of the peak minute. */
  lastWebhookSeconds: number;
  errors: Record<string, number>;
}

const startMs = Date.UTC(2026, 2, 12, 8, 59);
const minuteMs = 60_000;
const historyDays = 8;
const observedMinutes = 10;
const setUpConcurrency = 20;
/** Progress is reported because large runs take minutes. */
const progressEvery = 2_000;

export async function measureScale({ people, accounts, shards }: ScaleOptions): Promise<Scale> {
  const time = virtualTime(startMs - 2 * hourMs);
  const keys = keyMeter();
  let isPeak = false;
  let [refusedUnits, conflictUnits] = [0, 0];
  const webhookMs = new Map<string, number>();
  const errors: Record<string, number> = {};
  const aws = simulateAws({
    time,
    shards,
    isTimed: () => isPeak,
    charge(charged, { isRefused, isConflict }) {
      if (!isPeak) return;
      keys.charge(charged, time.now());
      const write = charged.reduce((sum, each) => sum + each.write, 0);
      if (isRefused) refusedUnits += write;
      if (isConflict) conflictUnits += write;
    },
    onWebhook(webhookRequest) {
      const user = userOfRequest(webhookRequest);
      if (isPeak && user !== undefined && !webhookMs.has(user)) webhookMs.set(user, time.now());
    },
    log(level, message, fields) {
      if (level !== 'error' && level !== 'warn') return;
      errors[message] = (errors[message] ?? 0) + 1;
      if (process.env['BENCH_DETAILS']) process.stderr.write(`${message} ${JSON.stringify(fields, errorToText)}\n`);
    },
  });

  const runToEnd = async <T>(work: Promise<T>): Promise<T> => {
    const tracked = time.track(work);
    const [result] = await Promise.all([tracked, time.run()]);
    return result;
  };
  const report = startProgress();
  const phones = await runToEnd(setUp(aws, { people, accounts }, (ms) => time.sleep(ms), report));
  await time.run(startMs);
  report('all users are set up');
  aws.resetLoads();

  isPeak = true;
  const uploadedMs = new Map<string, number>();
  const hour = uploadBody({ samples: makeSamples(startMs - hourMs, startMs) });
  const peak = phones.map(async (phone) => {
    await time.sleep(Math.random() * minuteMs);
    const { status, text } = await upload(aws, phone.accessToken, hour);
    if (status !== 202) throw new Error(`the upload returned ${status}: ${text}`);
    uploadedMs.set(phone.user, time.now());
  });
  const schedules = async () => {
    for (let minute = 1; minute <= observedMinutes; minute++) {
      await time.sleep(minuteMs);
      report(`minute ${minute}: ${uploadedMs.size} uploads, webhooks of ${webhookMs.size} people`);
      aws.runSchedules(minute);
    }
  };
  await Promise.all([
    time.track(Promise.all(peak)),
    time.track(schedules()),
    time.run(startMs + (observedMinutes + 1) * minuteMs),
  ]);

  const { write, read } = keys.totals();
  const waits = [...uploadedMs].flatMap(([user, ms]) => {
    const at = webhookMs.get(user);
    return at === undefined ? [] : [(at - ms) / 1_000];
  });
  return {
    writeUnits: write / people,
    readUnits: read / people,
    refusedUnits: refusedUnits / people,
    conflictUnits: conflictUnits / people,
    peak: keys.peak(),
    hottest: keys.hottest(),
    loads: aws.loads(),
    depths: aws.depths(),
    webhookSeconds: { median: percentile(waits, 0.5), p99: percentile(waits, 0.99), missing: people - waits.length },
    lastWebhookSeconds: (Math.max(startMs, ...webhookMs.values()) - startMs) / 1_000,
    errors,
  };
}

interface SetUpPhone {
  user: string;
  accessToken: string;
}

async function setUp(
  aws: AwsSimulation,
  { people, accounts }: Pick<ScaleOptions, 'people' | 'accounts'>,
  sleep: (milliseconds: number) => Promise<void>,
  report: (what: string) => void,
): Promise<SetUpPhone[]> {
  const tokens: string[] = [];
  const deps = await aws.deps();
  for (let account = 0; account < accounts; account++) {
    const { live_key: token } = await createAccount(deps, { name: `account ${account}` });
    await expectSuccess(aws, 'POST', '/v1/webhooks', token, { url: 'https://hooks.example.com/', events: ['*'] });
    tokens.push(token);
  }
  const phones: SetUpPhone[] = [];
  const history = uploadBody(makeWeeksBefore(Math.floor(startMs / (24 * hourMs)) * 24 * hourMs, historyDays));
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < people; at = next++) {
      const token = tokens[at % accounts] ?? '';
      const profile = { date_of_birth: '1990-05-17', height_cm: 175, weight_kg: 70 };
      const user: string = (await expectSuccess(aws, 'POST', '/v1/users', token, { timezone: timeZone, profile })).id;
      const { accessToken } = await openPhone(aws, token, user);
      const { status, text } = await upload(aws, accessToken, history);
      if (status !== 202) throw new Error(`the upload returned ${status}: ${text}`);
      phones.push({ user, accessToken });
      if (phones.length % progressEvery === 0) report(`${phones.length} users are set up`);
      // Keeps each key below its rate limit.
      await sleep(2_000);
    }
  };
  await Promise.all(Array.from({ length: Math.min(people, setUpConcurrency) }, worker));
  return phones;
}

async function expectSuccess(aws: AwsSimulation, method: string, path: string, token: string, body: object) {
  const response = await aws.call(method, path, { token, body });
  if (response.status >= 300) throw new Error(`${method} ${path} returned ${response.status}: ${response.text}`);
  return response.body;
}

/**
 * Reports progress with the CPU seconds since the run began, which do not depend on other load on
 * the machine.
 */
function startProgress(): (what: string) => void {
  const startUsage = process.cpuUsage();
  return (what) => {
    const { user, system } = process.cpuUsage(startUsage);
    const megabytes = Math.round(process.memoryUsage.rss() / 2 ** 20);
    process.stderr.write(`${Math.round((user + system) / 1e6)} s of CPU, ${megabytes} MB: ${what}\n`);
  };
}

const userOfRequest = ({ body }: WebhookRequest): string | undefined => JSON.parse(body).user_id ?? undefined;

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

const errorToText = (_name: string, value: unknown): unknown => (value instanceof Error ? value.stack : value);
