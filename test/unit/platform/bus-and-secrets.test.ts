import { ResourceNotFoundException } from '@aws-sdk/client-secrets-manager';
import { describe, expect, test } from 'vitest';
import { awsBus } from '../../../shared/platform/aws/bus.ts';
import { awsSecrets } from '../../../shared/platform/aws/secrets.ts';
import { EngineUnavailable } from '../../../shared/platform/ports.ts';
import { testEventBridge, testSecretsManager } from './clients.ts';
import { answer, refuse, type ScriptedServer, type Step, scriptedServer } from './scripted-server.ts';

interface WireEvent {
  EventBusName: string;
  Source: string;
  DetailType: string;
  Detail: string;
}

function published(server: ScriptedServer): WireEvent[][] {
  return server.requests.map(({ body }) => JSON.parse(body).Entries);
}

const accepted: Step = answer(200, { FailedEntryCount: 0, Entries: [] });
const busAt = (endpoint: string) => awsBus({ client: testEventBridge(endpoint), busName: 'daybook', backoffMs: 1 });
const event = (type: string) => ({ source: 'daybook', type, detail: { type } });

describe('the bus', () => {
  test('publishes entries in batches of ten', async () => {
    await using server = await scriptedServer(accepted);
    const types = Array.from({ length: 23 }, (_, number) => `type-${number}`);
    await busAt(server.endpoint).publish(types.map(event));
    const batches = published(server);
    expect(batches.map(({ length }) => length).toSorted()).toEqual([10, 10, 3]);
    expect(batches.flat()).toEqual(
      expect.arrayContaining(
        types.map((type) => ({
          EventBusName: 'daybook',
          Source: 'daybook',
          DetailType: type,
          Detail: JSON.stringify({ type }),
        })),
      ),
    );
  });

  test('resends only the throttled entries', async () => {
    await using server = await scriptedServer(
      answer(200, { FailedEntryCount: 1, Entries: [{ EventId: '1' }, { ErrorCode: 'ThrottlingException' }] }),
      accepted,
    );
    await busAt(server.endpoint).publish([event('a'), event('b')]);
    expect(published(server).map((batch) => batch.map(({ DetailType }) => DetailType))).toEqual([['a', 'b'], ['b']]);
  });

  test('is unavailable when an entry is throttled every time', async () => {
    await using server = await scriptedServer(
      answer(200, { FailedEntryCount: 1, Entries: [{ ErrorCode: 'InternalFailure', ErrorMessage: 'oh' }] }),
    );
    await expect(busAt(server.endpoint).publish([event('a')])).rejects.toThrow(EngineUnavailable);
    expect(server.requests).toHaveLength(4);
  });

  test('reports why an entry can never be published', async () => {
    await using server = await scriptedServer(
      answer(200, { FailedEntryCount: 1, Entries: [{ ErrorCode: 'MalformedDetail', ErrorMessage: 'not an object' }] }),
    );
    await expect(busAt(server.endpoint).publish([event('a')])).rejects.toThrow(/MalformedDetail not an object/);
    expect(server.requests).toHaveLength(1);
  });
});

describe('the root secret', () => {
  const secretsAt = (endpoint: string) =>
    awsSecrets({ client: testSecretsManager(endpoint), secretId: 'daybook/root' });

  test('is read once, however often it is requested', async () => {
    await using server = await scriptedServer(answer(200, { SecretString: 'root' }));
    const secrets = secretsAt(server.endpoint);
    expect(await Promise.all([secrets.root(), secrets.root()])).toEqual(['root', 'root']);
    expect(await secrets.root()).toBe('root');
    expect(server.requests.map(({ body }) => JSON.parse(body))).toEqual([{ SecretId: 'daybook/root' }]);
  });

  test('is requested again after a failure', async () => {
    await using server = await scriptedServer(
      refuse('ResourceNotFoundException'),
      answer(200, { SecretBinary: 'AA==' }),
      answer(200, { SecretString: 'root' }),
    );
    const secrets = secretsAt(server.endpoint);
    await expect(secrets.root()).rejects.toThrow(ResourceNotFoundException);
    await expect(secrets.root()).rejects.toThrow(/daybook\/root has no text/);
    expect(await secrets.root()).toBe('root');
  });
});
