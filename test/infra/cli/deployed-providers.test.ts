// Tests the provider commands against a deployment: its credentials are in a secret, and the
// settings of this machine say nothing about them.
import { expect, onTestFinished, test, vi } from 'vitest';
import { type ScriptedServer, scriptedServer } from '../../unit/platform/scripted-server.ts';
import { dataFolder, daybook } from './command-line.ts';

// Each command is a separate process.
vi.setConfig({ testTimeout: 60_000 });

const rootSecret = 'a root secret of more than 32 characters';
const credentials = JSON.stringify({ oura: { client_id: 'id', client_secret: 'from-the-secret' } });

async function startSecrets(): Promise<ScriptedServer> {
  const server = await scriptedServer((response, { body }) => {
    const SecretString = body.includes('"providers"') ? credentials : rootSecret;
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify({ SecretString }));
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

async function runAgainstDeployment(args: string[], env: Record<string, string>) {
  const secrets = await startSecrets();
  const ran = await daybook(dataFolder(), args, {
    DAYBOOK_TABLE: 'Daybook-Table',
    DAYBOOK_SECRET_ID: 'root',
    // Belongs to this machine, so it has no effect on the deployment.
    DAYBOOK_PROVIDER_WHOOP: '{"client_id":"id","client_secret":"of-this-machine"}',
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'A',
    AWS_SECRET_ACCESS_KEY: 's',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
    // Nothing listens there.
    AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9',
    ...env,
  });
  return { ran, requests: secrets.requests.length };
}

test.each([[['providers', 'list']], [['providers', 'show', 'oura']]])(
  '%j without the name of the secret exits with 2, says what to set, and reads nothing',
  async (args) => {
    const { ran, requests } = await runAgainstDeployment(args, {});
    expect([ran.code, ran.out, requests]).toEqual([2, '', 0]);
    expect(ran.err).toBe(
      'Set DAYBOOK_PROVIDERS_SECRET_ID to the output ProvidersSecretId of the deployment. The credentials of its providers are in that secret.\n',
    );
  },
);

test('providers list shows what the secret configures', async () => {
  const { ran } = await runAgainstDeployment(['providers', 'list', '--json'], {
    DAYBOOK_PROVIDERS_SECRET_ID: 'providers',
  });
  expect([ran.code, ran.err]).toEqual([0, '']);
  const states = ran.json.providers.map(({ id, state }: { id: string; state: string }) => [id, state]);
  expect(Object.fromEntries(states)).toMatchObject({ oura: 'configured', whoop: 'not configured' });
  expect(ran.json.problem).toMatch(/^The table could not be read/);
});

test('providers list shows the credentials while the table is unavailable, and says what is unknown', async () => {
  const { ran } = await runAgainstDeployment(['providers', 'list'], { DAYBOOK_PROVIDERS_SECRET_ID: 'providers' });
  expect([ran.code, ran.err]).toEqual([0, '']);
  const lines = ran.out.trimEnd().split('\n');
  expect(lines.slice(0, 2)).toEqual(['oura           configured', 'whoop          not configured']);
  expect(lines.at(-1)).toMatch(
    /^The table could not be read, so the last answers and the numbers of requests are unknown: ./,
  );
});

test('providers show prints the member to add to the secret, and no setting of this machine', async () => {
  const env = { DAYBOOK_PROVIDERS_SECRET_ID: 'providers' };
  const { ran } = await runAgainstDeployment(['providers', 'show', 'whoop'], env);
  expect([ran.code, ran.err]).toEqual([0, '']);
  expect(ran.out).toContain('WHOOP: not configured\n');
  expect(ran.out).toContain('settings      "whoop":{"client_id":"…","client_secret":"…"}\n');
  expect(ran.out).toContain('the secret DAYBOOK_PROVIDERS_SECRET_ID\n');
  expect(ran.out).toContain('put-secret-value replaces the whole object');
  expect(ran.out).not.toContain('DAYBOOK_PROVIDER_WHOOP');
});

test('on this machine, providers show prints the setting of the provider', async () => {
  const ran = await daybook(dataFolder(), ['providers', 'show', 'whoop']);
  expect([ran.code, ran.err]).toEqual([0, '']);
  expect(ran.out).toContain(`settings      DAYBOOK_PROVIDER_WHOOP='{"client_id":"…","client_secret":"…"}'\n`);
});

test('the help names the setting', async () => {
  expect((await daybook('/dev/null/nowhere', ['--help'])).out).toContain('DAYBOOK_PROVIDERS_SECRET_ID');
});
