// Which failures a call survives, what it reports when it does not, and that it is made as the SDK
// should make it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DynamoDBServiceException, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { clientConfig } from '../../../shared/platform/aws/client-config.ts';
import { readAwsConnection } from '../../../shared/platform/aws/connection.ts';
import { awsTable } from '../../../shared/platform/aws/table.ts';
import { EngineUnavailable } from '../../../shared/platform/ports.ts';
import { testDynamoDb } from './clients.ts';
import { answer, hangUp, refuse, type Step, scriptedServer, stayMute } from './scripted-server.ts';

const key = { pk: 'a', sk: 'b' };
const item = { Item: { pk: { S: 'a' }, sk: { S: 'b' } } };
const fine = answer(200, item);
const tableAt = (endpoint: string, timeoutMs = 5_000) =>
  awsTable({ client: testDynamoDb(endpoint, { timeoutMs, backoffMs: 1 }), tableName: 'daybook', backoffMs: 1 });

const beginBody = (response: Parameters<Step>[0]) => response.writeHead(200, { 'content-length': 99 }).write('{');
const stallBody: Step = (response) => void beginBody(response);
const cutBody: Step = (response) =>
  void response.writeHead(200, { 'content-length': 9 }).write('{', () => response.destroy());
const trickle: Step = (response) => {
  beginBody(response);
  const drops = setInterval(() => response.write(' '), 10);
  response.on('close', () => clearInterval(drops));
};

describe('retries', () => {
  const passing: [string, Step][] = [
    ['an internal error', answer(500, { __type: 'InternalServerError' })],
    ['an undocumented status', answer(599, {})],
    ['a load balancer page', answer(503, 'Service Unavailable')],
    ['a page that is not JSON', (response) => void response.writeHead(503).end('<html>')],
    ['throttling', refuse('ThrottlingException')],
    ['exceeded throughput', refuse('ProvisionedThroughputExceededException')],
    ['a request limit', refuse('RequestLimitExceeded')],
    ['its own transaction still in progress', refuse('TransactionInProgressException')],
    ['a transaction on the same item', refuse('TransactionConflictException')],
    ['a lost connection', hangUp],
    ['a response cut short', cutBody],
    ['a response that is not JSON', (response) => void response.end('<html>')],
    ['a request time-out', answer(408, {})],
    ['a response that is not HTTP', (response) => void response.socket?.end('nonsense\r\n\r\n')],
    ['an oversized header', (response) => void response.writeHead(200, { odd: 'x'.repeat(70_000) }).end('{}')],
  ];

  test.each(passing)('survive %s', async (_, step) => {
    await using server = await scriptedServer(step, step, step, fine);
    expect(await tableAt(server.endpoint).get(key)).toEqual(key);
    expect(server.requests).toHaveLength(4);
  });

  test.each(passing)('end with an unavailable engine after %s four times', async (_, step) => {
    await using server = await scriptedServer(step);
    const failure = tableAt(server.endpoint).get(key);
    await expect(failure).rejects.toThrow(EngineUnavailable);
    await expect(failure).rejects.toHaveProperty('cause', expect.any(Error));
    expect(server.requests).toHaveLength(4);
  });

  test.each<[string, Step]>([
    ['stays silent', stayMute],
    ['stops in the middle of its response', stallBody],
    ['sends its response one byte at a time without end', trickle],
  ])('end with an unavailable engine after four timeouts when it %s', async (_, step) => {
    await using server = await scriptedServer(step);
    const begun = performance.now();
    await expect(tableAt(server.endpoint, 100).get(key)).rejects.toThrow(EngineUnavailable);
    expect(server.requests).toHaveLength(4);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(4 * 95);
  });

  test('are not used up: a call after many failures is tried just as often', async () => {
    let refusals = 0;
    const conflict = refuse('TransactionConflictException');
    await using server = await scriptedServer((response, ...more) =>
      (refusals++ % 4 < 3 ? conflict : fine)(response, ...more),
    );
    const table = tableAt(server.endpoint);
    for (let call = 0; call < 60; call++) expect(await table.get(key)).toEqual(key);
    expect(server.requests).toHaveLength(240);
  });

  test('wait no longer than a function may, regardless of what a server requests', async () => {
    const busy: Step = (response) =>
      void response.writeHead(503, { 'retry-after': '30', 'x-amz-retry-after': '60000' }).end('{}');
    await using server = await scriptedServer(busy);
    const begun = performance.now();
    await expect(tableAt(server.endpoint).get(key)).rejects.toThrow(EngineUnavailable);
    expect(performance.now() - begun).toBeLessThan(4_000);
  });

  test('end with an unavailable engine when no server listens', async () => {
    const gone = await scriptedServer(fine);
    await gone[Symbol.asyncDispose]();
    await expect(tableAt(gone.endpoint).get(key)).rejects.toThrow(EngineUnavailable);
  });

  test('do not resend a rejected request, and keep the error name of the service', async () => {
    await using server = await scriptedServer(refuse('ValidationException'));
    const failure = tableAt(server.endpoint).get(key);
    await expect(failure).rejects.toThrow(DynamoDBServiceException);
    await expect(failure).rejects.toMatchObject({ name: 'ValidationException', message: 'no' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('the clock', () => {
  const expired = answer(
    400,
    {
      __type: 'com.amazon.coral.service#InvalidSignatureException',
      message: 'Signature expired: 2020 is now earlier than 2030',
    },
    { date: 'Wed, 02 Jan 2030 03:04:05 GMT' },
  );

  test('is corrected by a server that finds it wrong, for the next try and all later calls', async () => {
    const known = answer(200, item, { date: 'Wed, 02 Jan 2030 03:04:05 GMT' });
    await using server = await scriptedServer(expired, known);
    const table = tableAt(server.endpoint);
    expect(await table.get(key)).toEqual(key);
    await table.get(key);
    const signedAt = server.requests.map(({ headers }) => String(headers['x-amz-date']).slice(0, 9));
    expect(signedAt.slice(1)).toEqual(['20300102T', '20300102T']);
    expect(signedAt[0]).not.toBe('20300102T');
  });
});

describe('credentials', () => {
  const connected = (env: Record<string, string>, endpoint: string) =>
    readAwsConnection(Object.assign(env, { AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL: endpoint }));

  test('that were renewed sign the next call; the call with the expired token is rejected and not resent', async () => {
    await using server = await scriptedServer(fine, refuse('ExpiredTokenException'), fine);
    const env: Record<string, string> = {
      AWS_ACCESS_KEY_ID: 'FIRST',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_SESSION_TOKEN: 'first-token',
    };
    const client = testDynamoDb(server.endpoint, {}, connected(env, server.endpoint));
    const table = awsTable({ client, tableName: 'daybook' });
    await table.get(key);
    await expect(table.get(key)).rejects.toMatchObject({ name: 'ExpiredTokenException' });
    Object.assign(env, { AWS_ACCESS_KEY_ID: 'SECOND', AWS_SESSION_TOKEN: 'second-token' });
    await table.get(key);
    expect(server.requests.map(({ headers }) => headers['x-amz-security-token'])).toEqual([
      'first-token',
      'first-token',
      'second-token',
    ]);
    expect(server.requests[2]?.headers.authorization).toContain('Credential=SECOND/');
  });

  test('that are missing are reported as such immediately', async () => {
    await using server = await scriptedServer(fine);
    const client = testDynamoDb(server.endpoint, {}, connected({}, server.endpoint));
    const lookup = awsTable({ client, tableName: 'daybook' }).get(key);
    await expect(lookup).rejects.toThrow('No AWS credentials: set AWS_ACCESS_KEY_ID');
    expect(server.requests).toEqual([]);
  });
});

describe('connections', () => {
  test('are reused', async () => {
    await using server = await scriptedServer(fine);
    const table = tableAt(server.endpoint);
    for (let call = 0; call < 5; call++) await table.get(key);
    expect(new Set(server.requests.map(({ remotePort }) => remotePort)).size).toBe(1);
  });

  test('left open do not keep a process from exiting', async () => {
    await using server = await scriptedServer(fine);
    const program = `
      import { testDynamoDb } from ${JSON.stringify(new URL('./clients.ts', import.meta.url).href)};
      import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
      await testDynamoDb(${JSON.stringify(server.endpoint)}).send(new ListTablesCommand());`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: 'ignore',
      timeout: 10_000,
    });
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(server.requests).toHaveLength(1);
  });
});

describe('without an endpoint', () => {
  const hostFor = async (env: Record<string, string>) => {
    const connection = readAwsConnection({ AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', ...env });
    const client = testDynamoDb('', {}, connection);
    const hosts: unknown[] = [];
    client.middlewareStack.add(
      () => async (args) => {
        hosts.push(Object.assign({ hostname: '' }, args.request).hostname);
        throw new Error('far enough');
      },
      { step: 'finalizeRequest', priority: 'low' },
    );
    await expect(client.send(new GetItemCommand({ TableName: 'daybook', Key: item.Item }))).rejects.toThrow(
      'far enough',
    );
    return hosts;
  };

  test.each([
    [{ AWS_REGION: 'eu-west-1' }, 'dynamodb.eu-west-1.amazonaws.com'],
    [{ AWS_REGION: 'cn-north-1' }, 'dynamodb.cn-north-1.amazonaws.com.cn'],
    [{ AWS_REGION: 'us-east-1', AWS_USE_FIPS_ENDPOINT: 'true' }, 'dynamodb-fips.us-east-1.amazonaws.com'],
    [{ AWS_REGION: 'us-gov-west-1' }, 'dynamodb.us-gov-west-1.amazonaws.com'],
  ])('the endpoint for %j is %s', async (env, host) => {
    expect(await hostFor(env)).toEqual([host]);
  });

  test('queues are reached at the service endpoint, not at the host in their URL', async () => {
    const env = {
      AWS_REGION: 'us-east-1',
      AWS_USE_FIPS_ENDPOINT: 'true',
      AWS_ACCESS_KEY_ID: 'a',
      AWS_SECRET_ACCESS_KEY: 'b',
    };
    const client = new SQSClient(clientConfig('sqs', readAwsConnection(env)));
    const hosts: unknown[] = [];
    client.middlewareStack.add(
      () => async (args) => {
        hosts.push(Object.assign({ hostname: '' }, args.request).hostname);
        throw new Error('far enough');
      },
      { step: 'finalizeRequest', priority: 'low' },
    );
    const message = { QueueUrl: 'https://sqs.us-east-1.amazonaws.com/123456789012/q', MessageBody: '{}' };
    await expect(client.send(new SendMessageCommand(message))).rejects.toThrow('far enough');
    expect(hosts).toEqual(['sqs-fips.us-east-1.amazonaws.com']);
  });
});
