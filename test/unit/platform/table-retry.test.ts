import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { awsTable } from '../../../shared/platform/aws/table.ts';
import { ConditionFailed, EngineUnavailable, TransactionCanceled } from '../../../shared/platform/ports.ts';
import { testDynamoDb } from './clients.ts';
import { answer, hangUp, refuse, type ScriptedServer, type Step, scriptedServer } from './scripted-server.ts';

const key = { pk: 'a', sk: 'b' };
const wireKey = { pk: { S: 'a' }, sk: { S: 'b' } };
const canceled = (...codes: string[]) =>
  refuse('TransactionCanceledException', { CancellationReasons: codes.map((Code) => ({ Code })) });
const done = answer(200, {});

function tableOf(server: ScriptedServer) {
  return awsTable({ client: testDynamoDb(server.endpoint), tableName: 'daybook', backoffMs: 1 });
}

function tokens(server: ScriptedServer): string[] {
  return server.requests.map(({ body }) => JSON.parse(body).ClientRequestToken);
}

describe('a transaction', () => {
  test('whose response was lost is sent again with the same token', async () => {
    await using server = await scriptedServer(hangUp, answer(500, {}), done);
    await tableOf(server).transact([{ kind: 'delete', key }]);
    expect(server.requests).toHaveLength(3);
    expect(new Set(tokens(server)).size).toBe(1);
    expect(tokens(server)[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('that conflicted or was throttled is sent again as a new one', async () => {
    await using server = await scriptedServer(
      canceled('None', 'TransactionConflict'),
      canceled('ThrottlingError'),
      done,
    );
    await tableOf(server).transact([{ kind: 'delete', key }]);
    expect(new Set(tokens(server)).size).toBe(3);
  });

  test('that always conflicts ends with an unavailable engine', async () => {
    await using server = await scriptedServer(canceled('TransactionConflict'));
    await expect(tableOf(server).transact([{ kind: 'delete', key }])).rejects.toThrow(EngineUnavailable);
    expect(server.requests).toHaveLength(8);
  });

  test('with a failed condition is rejected even when it also conflicted', async () => {
    await using server = await scriptedServer(canceled('TransactionConflict', 'ConditionalCheckFailed'));
    const write = { kind: 'delete', key } as const;
    const outcome = tableOf(server).transact([write, write]);
    await expect(outcome).rejects.toThrow(TransactionCanceled);
    await expect(outcome).rejects.toHaveProperty('failures', [undefined, expect.any(ConditionFailed)]);
    expect(server.requests).toHaveLength(1);
  });

  test.each<[string, Step]>([
    ['canceled as invalid', canceled('TransactionConflict', 'ValidationError')],
    ['canceled for no stated reason', refuse('TransactionCanceledException')],
  ])('%s is an error immediately', async (_, step) => {
    await using server = await scriptedServer(step);
    await expect(tableOf(server).transact([{ kind: 'delete', key }])).rejects.toThrow(TransactionCanceledException);
    expect(server.requests).toHaveLength(1);
  });

  test('of no writes makes no call', async () => {
    await using server = await scriptedServer(done);
    await tableOf(server).transact([]);
    expect(server.requests).toEqual([]);
  });
});

describe('a single write', () => {
  test('that conflicted with a transaction is sent again', async () => {
    await using server = await scriptedServer(refuse('TransactionConflictException'), done);
    await tableOf(server).write({ kind: 'delete', key });
    expect(server.requests).toHaveLength(2);
  });
});

describe('what a batch leaves unprocessed', () => {
  test('is read again', async () => {
    const other = { pk: { S: 'a' }, sk: { S: 'c' } };
    await using server = await scriptedServer(
      answer(200, { Responses: { daybook: [wireKey] }, UnprocessedKeys: { daybook: { Keys: [other] } } }),
      answer(200, { Responses: { daybook: [other] }, UnprocessedKeys: {} }),
    );
    expect(await tableOf(server).batchGet([key, { pk: 'a', sk: 'c' }])).toEqual([key, { pk: 'a', sk: 'c' }]);
    expect(JSON.parse(server.requests[1]?.body ?? '')).toEqual({ RequestItems: { daybook: { Keys: [other] } } });
  });

  test('is written again', async () => {
    const left = [{ DeleteRequest: { Key: wireKey } }];
    await using server = await scriptedServer(answer(200, { UnprocessedItems: { daybook: left } }), done);
    await tableOf(server).batchWrite([
      { kind: 'put', item: { pk: 'x', sk: 'y' } },
      { kind: 'delete', key },
    ]);
    expect(JSON.parse(server.requests[1]?.body ?? '')).toEqual({ RequestItems: { daybook: left } });
  });

  test('every time makes the engine unavailable', async () => {
    await using server = await scriptedServer(
      answer(200, { UnprocessedItems: { daybook: [{ DeleteRequest: { Key: wireKey } }] } }),
    );
    await expect(tableOf(server).batchWrite([{ kind: 'delete', key }])).rejects.toThrow(EngineUnavailable);
    expect(server.requests).toHaveLength(8);
  });
});
