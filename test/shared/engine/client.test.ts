import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { AwsError } from '../../../shared/engine/aws/aws-error.ts';
import { awsClient } from '../../../shared/engine/aws/client.ts';
import { type ServiceName, services } from '../../../shared/engine/aws/services.ts';
import type { Outgoing } from '../../../shared/engine/aws/transport.ts';
import { EngineUnavailable } from '../../../shared/engine/ports.ts';
import { testClient } from './engines.ts';
import { answer, hangUp, refuse, type Step, scriptedServer, stayMute } from './scripted-server.ts';

const fine = answer(200, { fine: true });

describe('retries', () => {
  const passing: [string, Step][] = [
    ['an internal error', answer(500, { __type: 'InternalServerError' })],
    ['a page of a load balancer', answer(503, 'Service Unavailable')],
    ['throttling', refuse('ThrottlingException')],
    ['exceeded throughput', refuse('ProvisionedThroughputExceededException')],
    ['a request limit', refuse('RequestLimitExceeded')],
    ['its own transaction still in progress', refuse('TransactionInProgressException')],
    ['a lost connection', hangUp],
    [
      'an answer cut short',
      (response) => void response.writeHead(200, { 'content-length': 9 }).write('{', () => response.destroy()),
    ],
    ['an answer that is not JSON', (response) => void response.end('<html>')],
  ];

  test.each(passing)('%s is survived', async (_, step) => {
    await using server = await scriptedServer(step, step, step, fine);
    expect(await testClient('dynamodb', server.endpoint).call('GetItem', {})).toEqual({ fine: true });
    expect(server.asked).toHaveLength(4);
  });

  test.each(passing)('%s four times over makes the engine unavailable', async (_, step) => {
    await using server = await scriptedServer(step);
    const failure = testClient('dynamodb', server.endpoint).call('GetItem', {});
    await expect(failure).rejects.toThrow(EngineUnavailable);
    await expect(failure).rejects.toHaveProperty('cause', expect.any(Error));
    expect(server.asked).toHaveLength(4);
  });

  test('an engine that stays mute is unavailable, not waited for', async () => {
    await using server = await scriptedServer(stayMute);
    const client = testClient('dynamodb', server.endpoint, { timeoutMs: 30 });
    await expect(client.call('GetItem', {})).rejects.toThrow(/within 30 ms/);
    expect(server.asked).toHaveLength(4);
  });

  test('an engine that never finishes its answer is unavailable', async () => {
    await using server = await scriptedServer((response) => void response.writeHead(200).write('{'));
    const client = testClient('dynamodb', server.endpoint, { timeoutMs: 30 });
    await expect(client.call('GetItem', {})).rejects.toThrow(EngineUnavailable);
  });

  test('a refusal is not sent again', async () => {
    await using server = await scriptedServer(refuse('ValidationException'));
    const failure = testClient('dynamodb', server.endpoint).call('GetItem', {});
    await expect(failure).rejects.toThrow(AwsError);
    await expect(failure).rejects.toMatchObject({
      code: 'ValidationException',
      status: 400,
      body: expect.stringContaining('"message":"no"'),
    });
    expect(server.asked).toHaveLength(1);
  });

  test('missing credentials are reported as such, at once', async () => {
    const credentials = () => Promise.reject(new Error('no credentials'));
    const client = awsClient({ service: 'sqs', region: 'eu-west-1', endpoint: 'http://127.0.0.1:1', credentials });
    await expect(client.call('SendMessage', {})).rejects.toThrow('no credentials');
  });
});

describe('an error is named', () => {
  test.each([
    ['by the body', answer(400, { __type: 'aws#Wrong' }, { 'x-amzn-errortype': 'Other' }), 'Wrong'],
    ['by the error type header', answer(400, {}, { 'x-amzn-errortype': 'Wrong:http://aws/' }), 'Wrong'],
    ['by the query error header', answer(400, {}, { 'x-amzn-query-error': 'AWS.Wrong;Sender' }), 'AWS.Wrong'],
    ['by the status alone', answer(404, 'lost'), 'HTTP 404'],
  ])('%s', async (_, step, code) => {
    await using server = await scriptedServer(step);
    await expect(testClient('sqs', server.endpoint).call('SendMessage', {})).rejects.toMatchObject({ code });
  });
});

describe('the clock', () => {
  const expired = (date: Date) =>
    answer(
      400,
      {
        __type: 'com.amazon.coral.service#InvalidSignatureException',
        message: 'Signature expired: 2020 is now earlier than 2030',
      },
      { date: date.toUTCString() },
    );

  test('is corrected by a server that sees it wrong, for all later calls too', async () => {
    await using server = await scriptedServer(expired(new Date('2030-01-02T03:04:05Z')), fine);
    const credentials = async () => ({ accessKeyId: 'test', secretAccessKey: 'test' });
    const now = () => Date.parse('2020-01-01T00:00:00Z');
    const client = awsClient({ service: 'dynamodb', region: 'eu-west-1', endpoint: server.endpoint, credentials, now });
    expect(await client.call('GetItem', {})).toEqual({ fine: true });
    await client.call('GetItem', {});
    expect(server.asked.map(({ headers }) => headers['x-amz-date'])).toEqual([
      '20200101T000000Z',
      '20300102T030405Z',
      '20300102T030405Z',
    ]);
  });

  test('is corrected only once per call', async () => {
    await using server = await scriptedServer(expired(new Date('2030-01-02T03:04:05Z')));
    await expect(testClient('dynamodb', server.endpoint).call('GetItem', {})).rejects.toThrow(/Signature expired/);
    expect(server.asked).toHaveLength(2);
  });
});

describe('connections', () => {
  test('are used again', async () => {
    await using server = await scriptedServer(fine);
    const client = testClient('dynamodb', server.endpoint);
    for (let call = 0; call < 5; call++) await client.call('GetItem', {});
    expect(new Set(server.asked.map(({ remotePort }) => remotePort)).size).toBe(1);
  });

  test('left open do not keep a process from ending', async () => {
    await using server = await scriptedServer(fine);
    const module = new URL('../../../shared/engine/aws/client.ts', import.meta.url);
    const program = `
      import { awsClient } from ${JSON.stringify(module.href)};
      const credentials = async () => ({ accessKeyId: 'a', secretAccessKey: 'b' });
      const client = awsClient({ service: 'sqs', region: 'r', endpoint: ${JSON.stringify(server.endpoint)}, credentials });
      await client.call('ListQueues', {});`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: 'ignore',
      timeout: 4_000,
    });
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(server.asked).toHaveLength(1);
  });
});

describe('without an endpoint', () => {
  test.each<[ServiceName, string, string]>([
    ['dynamodb', 'dynamodb.eu-west-1.amazonaws.com', 'DynamoDB_20120810.Do'],
    ['streams', 'streams.dynamodb.eu-west-1.amazonaws.com', 'DynamoDBStreams_20120810.Do'],
    ['sqs', 'sqs.eu-west-1.amazonaws.com', 'AmazonSQS.Do'],
    ['events', 'events.eu-west-1.amazonaws.com', 'AWSEvents.Do'],
    ['secretsmanager', 'secretsmanager.eu-west-1.amazonaws.com', 'secretsmanager.Do'],
  ])('%s is reached over TLS at its public host', async (service, host, target) => {
    const sent: Outgoing[] = [];
    const client = awsClient({
      service,
      region: 'eu-west-1',
      credentials: async () => ({ accessKeyId: 'a', secretAccessKey: 'b' }),
      transport: async (outgoing) => {
        sent.push(outgoing);
        return { status: 200, headers: {}, body: '' };
      },
    });
    await client.call('Do', {});
    expect(sent[0]?.url.href).toBe(`https://${host}/`);
    expect(sent[0]?.headers).toMatchObject({
      host,
      'x-amz-target': target,
      'content-type': `application/x-amz-json-${services[service].jsonVersion}`,
    });
  });
});
