// The command line finds credentials as other AWS tools do: each source leads to the same calls,
// and missing settings are reported.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { answer, type ScriptedServer, type Step, scriptedServer } from '../../unit/platform/scripted-server.ts';
import { dataFolder, daybook } from './command-line.ts';

const rootSecret = 'a root secret of more than 32 characters';

async function startFakeServer(...script: [Step, ...Step[]]): Promise<ScriptedServer> {
  const server = await scriptedServer(...script);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/**
 * Lists the accounts of a deployment that has none, and returns the identities that read its secret
 * and its table.
 */
async function listAccounts(env: Record<string, string>) {
  const secrets = await startFakeServer(answer(200, { SecretString: rootSecret }));
  const table = await startFakeServer(answer(200, { Items: [], Count: 0 }));
  const ran = await daybook(dataFolder(), ['accounts', 'list'], {
    DAYBOOK_TABLE: 'daybook',
    DAYBOOK_SECRET_ID: 'root',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
    AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
    ...env,
  });
  return { ran, secret: secrets.requests.map(signer), table: table.requests.map(signer) };
}

function signer({ headers }: ScriptedServer['requests'][number]) {
  const [, id, region] = /Credential=(\w+)\/\d+\/([\w-]+)\//.exec(headers.authorization ?? '') ?? [];
  return { id, region, token: headers['x-amz-security-token'] };
}

function file(name: string, text: string): string {
  const path = join(dataFolder(), name);
  writeFileSync(path, text);
  return path;
}

const assumedRoleStep = (id: string, token: string, expires: Date): Step => {
  const xml = `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult>
    <Credentials><AccessKeyId>${id}</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>${token}</SessionToken>
    <Expiration>${expires.toISOString()}</Expiration></Credentials>
    <AssumedRoleUser><Arn>arn:aws:sts::1:assumed-role/r/s</Arn><AssumedRoleId>r:s</AssumedRoleId></AssumedRoleUser>
    </AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`;
  return (response) => void response.writeHead(200, { 'content-type': 'text/xml' }).end(xml);
};

const webIdentity = (sts: ScriptedServer) => ({
  AWS_REGION: 'eu-west-1',
  AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/operator',
  AWS_WEB_IDENTITY_TOKEN_FILE: file('token', 'a-signed-token'),
  AWS_ENDPOINT_URL_STS: sts.endpoint,
});

const inAnHour = () => new Date(Date.now() + 3_600_000);

test('a profile provides its keys and its region', async () => {
  const result = await listAccounts({
    AWS_PROFILE: 'mine',
    AWS_CONFIG_FILE: file('config', '[profile mine]\nregion = eu-north-1\n'),
    AWS_SHARED_CREDENTIALS_FILE: file('credentials', '[mine]\naws_access_key_id = MINE\naws_secret_access_key = s\n'),
  });
  expect([result.ran.code, result.ran.err]).toEqual([0, '']);
  expect(result.secret).toEqual([{ id: 'MINE', region: 'eu-north-1', token: undefined }]);
  expect(result.table).toEqual([{ id: 'MINE', region: 'eu-north-1', token: undefined }]);
});

test('a web identity file is exchanged for a role once, which signs all calls', async () => {
  const sts = await startFakeServer(assumedRoleStep('ROLE', 'role-token', inAnHour()));
  const result = await listAccounts(webIdentity(sts));
  expect([result.ran.code, result.ran.err]).toEqual([0, '']);
  expect(sts.requests).toHaveLength(1);
  expect(sts.requests[0]?.body).toContain('WebIdentityToken=a-signed-token');
  expect([...result.secret, ...result.table]).toEqual(
    Array.from({ length: 2 }, () => ({ id: 'ROLE', region: 'eu-west-1', token: 'role-token' })),
  );
});

test('a role whose token has expired is assumed again before the next call', async () => {
  const past = new Date(Date.now() - 1_000);
  const sts = await startFakeServer(
    assumedRoleStep('OLD', 'old-token', past),
    assumedRoleStep('NEW', 'new-token', inAnHour()),
  );
  const result = await listAccounts(webIdentity(sts));
  expect([result.ran.code, result.ran.err]).toEqual([0, '']);
  expect(sts.requests.length).toBeGreaterThan(1);
  expect(result.table).toEqual([{ id: 'NEW', region: 'eu-west-1', token: 'new-token' }]);
});

test.each([
  ['missing credentials', { AWS_REGION: 'eu-west-1' }, 'No AWS credentials: '],
  ['a missing profile', { AWS_REGION: 'eu-west-1', AWS_PROFILE: 'mine' }, 'No AWS credentials: '],
  ['a missing region', { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 's' }, 'No AWS region: set AWS_REGION'],
])('reports %s before any request', async (_, env, message) => {
  const result = await listAccounts(env);
  expect([result.ran.code, result.ran.out, result.secret, result.table]).toEqual([1, '', [], []]);
  expect(result.ran.err.startsWith(message)).toBe(true);
  expect(result.ran.err).toContain(message.includes('region') ? 'region in your AWS profile' : 'AWS_PROFILE');
});
