// The CPU of a cold start (import the bundle, serve the first request, make the first table call) over that of a bare Node start.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { bundleFunctions } from '../../../infra/build/bundle.ts';
import { functions } from '../../../infra/functions.ts';
import { startLocalTable } from '../../../infra/local/local-table.ts';
import { createAccount } from '../../../shared/domain/access/accounts.ts';
import { settingNames } from '../../../shared/model/settings.ts';
import { makeDeps } from '../../../shared/runtime/deps.ts';
import { type Measure, median } from '../row.ts';

const runs = 5;
const reads = { catalogs: '/v1/metrics', users: '/v1/users' } as const;
const rootSecret = 'a root secret of more than 32 characters';

const tellCpu = 'const { user, system } = process.cpuUsage(); process.stdout.write(String(user + system));';
const firstRequest = `
  const { handler } = await import(process.env.BENCH_BUNDLE);
  const { statusCode } = await handler(JSON.parse(process.env.BENCH_EVENT));
  if (statusCode !== 200) throw new Error('the first request was answered with ' + statusCode);
`;

export const measure: Measure = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-cold-'));
  const place = await startLocalTable({ dataDir: 'memory', env: { PATH: process.env['PATH'] } });
  try {
    const { catalogs, users } = functions;
    const bundles = await bundleFunctions({ catalogs, users }, folder);
    const unused = async () => {};
    const deps = makeDeps({
      table: place.table,
      queue: { send: unused, sendAll: unused },
      bus: { publish: unused },
      rootSecret,
      place: { kind: 'local' },
    });
    const { live_key } = await createAccount(deps, { name: 'bench' });
    const environment = {
      [settingNames.table]: place.tableName,
      [settingNames.secretValue]: rootSecret,
      [settingNames.place]: 'local',
      AWS_ENDPOINT_URL_DYNAMODB: place.endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    };
    const bare = await medianCpu('', {});
    const rows = [{ name: 'bare Node start', unit: 'ms CPU', value: bare / 1000 }];
    for (const [name, path] of Object.entries(reads)) {
      const file = bundles.find((each) => each.name === name)?.file ?? '';
      const cold = await medianCpu(firstRequest, {
        ...environment,
        BENCH_BUNDLE: pathToFileURL(file).href,
        BENCH_EVENT: JSON.stringify(readEvent(path, live_key)),
      });
      rows.push({ name: `cold start of ${name}`, unit: 'x bare Node', value: cold / bare, ...{ hold: { atMost: 5 } } });
    }
    return rows;
  } finally {
    await place.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

async function medianCpu(code: string, env: Record<string, string>): Promise<number> {
  const told: number[] = [];
  for (let run = 0; run < runs; run++) {
    const args = ['--input-type=module', '--eval', code + tellCpu];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    told.push(Number(/\d+$/.exec(stdout)?.[0]));
  }
  return median(told);
}

const readEvent = (path: string, key: string) => ({
  version: '2.0',
  rawPath: path,
  rawQueryString: '',
  headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'br' },
  requestContext: { requestId: 'bench', domainName: 'localhost', http: { method: 'GET', path } },
  isBase64Encoded: false,
});
