// The CPU time of a warm function for one read and one write, from API Gateway's event to its
// result, including table and queue calls. For information only, because machines differ.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { functions } from '../../../infra/functions.ts';
import type { HostedFunctions } from '../../../infra/local/function-runner.ts';
import { createCredentials, makeUpload } from '../../harness/sdk.ts';
import { type BuiltFunctions, openBuiltFunctions } from '../built-functions.ts';
import { httpRequest } from '../lambda-events.ts';
import type { Measure } from '../row.ts';

/** Few enough per key and per phone to stay below their rate limits. */
const requestsPerAccount = 190;
const accounts = 5;
const slices = 5;
const hourMs = 3_600_000;

/** Measures the second half of the requests in slices and reports the median slice. */
const warmRequestsScript = `
  const { handler } = require(process.env.BENCH_BUNDLE);
  const events = JSON.parse(require('node:fs').readFileSync(process.env.BENCH_EVENTS, 'utf8'));
  const slice = Math.floor(events.length / 2 / ${slices});
  const send = async (event) => {
    const result = await handler(event);
    if (result.statusCode >= 300) throw new Error('the function returned ' + result.statusCode + ' ' + result.body);
  };
  (async () => {
    while (events.length > slice * ${slices}) await send(events.pop());
    const perRequest = [];
    while (events.length > 0) {
      const before = process.cpuUsage();
      for (let n = 0; n < slice; n++) await send(events.pop());
      const { user, system } = process.cpuUsage(before);
      perRequest.push((user + system) / slice);
    }
    process.stdout.write('\\n' + perRequest.sort((a, b) => a - b)[${Math.floor(slices / 2)}], () => process.exit());
  })();
`;

const withoutWriter: HostedFunctions = {
  ...functions,
  'write-user': { ...functions['write-user'], entry: 'test/harness/idle-worker.ts' },
};

export const measure: Measure = async () => [
  {
    name: 'warm daily read of a week',
    unit: 'us CPU',
    value: await measureMicroseconds('data', await openBuiltFunctions(), dailyReads),
  },
  {
    name: 'warm upload of an hour',
    unit: 'us CPU',
    // Processing the upload would distort the measurement of the uploads that follow.
    value: await measureMicroseconds('sdk', await openBuiltFunctions(withoutWriter), uploads),
  },
];

async function measureMicroseconds(
  name: 'data' | 'sdk',
  built: BuiltFunctions,
  requests: (built: BuiltFunctions) => Promise<object[]>,
): Promise<number> {
  try {
    const file = join(built.folder, 'events.json');
    await writeFile(file, JSON.stringify(await requests(built)));
    return Math.round(Number(await built.run(warmRequestsScript, name, { BENCH_EVENTS: file })));
  } finally {
    await built.stop();
  }
}

async function dailyReads(built: BuiltFunctions): Promise<object[]> {
  const each = await interleaveAccounts(async () => {
    const { sandbox_key: token } = await built.account();
    const { body: user } = await built.call('POST', '/v1/users', { token, body: { timezone: 'Europe/London' } });
    return Array.from({ length: requestsPerAccount }, () => httpRequest(`/v1/users/${user.id}/daily`, { token }));
  });
  await built.host.drain();
  return each;
}

async function uploads(built: BuiltFunctions): Promise<object[]> {
  return interleaveAccounts(async () => {
    const { live_key } = await built.account();
    const { body: user } = await built.call('POST', '/v1/users', { token: live_key, body: { timezone: 'UTC' } });
    // Each session admits thirty uploads at once.
    const tokens: string[] = [];
    for (let opened = 0; opened < requestsPerAccount / 30; opened++)
      tokens.push((await createCredentials(built, live_key, user.id)).access_token);
    return Array.from({ length: requestsPerAccount }, (_none, hours) =>
      httpRequest('/v1/sdk/data', {
        ...{ method: 'POST', token: tokens[hours % tokens.length] ?? '' },
        body: hourBefore(Date.now() - hours * hourMs),
      }),
    );
  });
}

/** Alternates between accounts, like traffic from many callers. */
async function interleaveAccounts(requestsOf: () => Promise<object[]>): Promise<object[]> {
  const lists = await Promise.all(Array.from({ length: accounts }, requestsOf));
  return Array.from({ length: requestsPerAccount }, (_none, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat();
}

/** What a phone and its watch measured: 48 samples of three metrics. */
function hourBefore(ms: number): object {
  const from = Math.floor(ms / hourMs) * hourMs - hourMs;
  const intervals = (metric: string, count: number, value: number, unit: string) =>
    Array.from({ length: count }, (_none, n) => ({
      metric,
      start: new Date(from + (n * hourMs) / count).toISOString(),
      end: new Date(from + ((n + 1) * hourMs) / count).toISOString(),
      value: value + n,
      unit,
    }));
  const beats = intervals('heart_rate', 24, 60, 'bpm').map(({ end: _end, ...beat }) => beat);
  return makeUpload({
    samples: [...intervals('steps', 12, 40, 'count'), ...intervals('active_calories', 12, 4.5, 'kcal'), ...beats],
  });
}
