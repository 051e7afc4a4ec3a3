import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WebhookResponse } from '../../../shared/platform/ports.ts';
import { attemptInBulkhead } from '../../../shared/webhooks/attempt-delivery.ts';
import { deliver } from '../../../shared/webhooks/deliver.ts';
import { createEndpointBulkhead } from '../../../shared/webhooks/endpoint-bulkhead.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Requests that ask to proceed, and what each was told. */
async function ask(bulkhead: ReturnType<typeof createEndpointBulkhead>, endpoint: string, count: number) {
  const answers: (boolean | undefined)[] = Array.from({ length: count }, () => undefined);
  answers.forEach((_none, at) => {
    void bulkhead.enter(endpoint).then((answer) => {
      answers[at] = answer;
    });
  });
  await vi.advanceTimersByTimeAsync(0);
  return {
    answers,
    count: (answer: boolean | undefined) => answers.filter((each) => each === answer).length,
  };
}

test('16 requests proceed at once, 256 wait and the others are refused, for each endpoint separately', async () => {
  const bulkhead = createEndpointBulkhead();
  const asked = await ask(bulkhead, 'a', 300);
  expect([asked.count(true), asked.count(undefined), asked.count(false)]).toEqual([16, 256, 28]);
  expect((await ask(bulkhead, 'another', 16)).count(true)).toBe(16);
});

test('each quick response admits the next one in turn, for as long as the endpoint responds', async () => {
  const bulkhead = createEndpointBulkhead();
  const asked = await ask(bulkhead, 'a', 100);
  for (let responses = 1; responses <= 84; responses += 1) {
    await vi.advanceTimersByTimeAsync(1_900);
    bulkhead.leave('a', true);
    await vi.advanceTimersByTimeAsync(0);
    expect(asked.answers.lastIndexOf(true)).toBe(15 + responses);
    expect(asked.count(true)).toBe(16 + responses);
  }
  expect(vi.getTimerCount()).toBe(0);
});

test('requests to an endpoint that does not respond free their workers after two seconds', async () => {
  const bulkhead = createEndpointBulkhead();
  const asked = await ask(bulkhead, 'hanging', 40);
  await vi.advanceTimersByTimeAsync(1_999);
  expect([asked.count(true), asked.count(undefined)]).toEqual([16, 24]);
  await vi.advanceTimersByTimeAsync(1);
  expect([asked.count(true), asked.count(false)]).toEqual([16, 24]);
  // Nothing waits until the endpoint has responded.
  expect((await ask(bulkhead, 'hanging', 5)).count(false)).toBe(5);
  bulkhead.leave('hanging', false);
  expect((await ask(bulkhead, 'hanging', 2)).answers).toEqual([true, false]);
  bulkhead.leave('hanging', true);
  expect((await ask(bulkhead, 'hanging', 2)).answers).toEqual([true, undefined]);
});

test('a slow response refuses everything that waits', async () => {
  const bulkhead = createEndpointBulkhead();
  const asked = await ask(bulkhead, 'a', 20);
  bulkhead.leave('a', false);
  await vi.advanceTimersByTimeAsync(0);
  expect([asked.count(true), asked.count(false)]).toEqual([16, 4]);
  expect((await ask(bulkhead, 'a', 1)).answers).toEqual([true]);
  expect(vi.getTimerCount()).toBe(0);
});

test('work that sent nothing admits the next one, and says nothing about the endpoint', async () => {
  const bulkhead = createEndpointBulkhead();
  const asked = await ask(bulkhead, 'a', 20);
  await vi.advanceTimersByTimeAsync(1_000);
  bulkhead.leave('a', undefined);
  await vi.advanceTimersByTimeAsync(999);
  expect([asked.count(true), asked.count(undefined)]).toEqual([17, 3]);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked.count(false)).toBe(3);
  bulkhead.leave('a', undefined);
  expect((await ask(bulkhead, 'a', 2)).answers).toEqual([true, false]);
});

test('an endpoint begins anew when none of its requests is left', async () => {
  const bulkhead = createEndpointBulkhead();
  await ask(bulkhead, 'a', 20);
  await vi.advanceTimersByTimeAsync(2_000);
  for (let responses = 0; responses < 16; responses += 1) bulkhead.leave('a', false);
  const asked = await ask(bulkhead, 'a', 20);
  expect([asked.count(true), asked.count(undefined)]).toEqual([16, 4]);
});

test('requests that proceeded do not make later ones be refused', async () => {
  const bulkhead = createEndpointBulkhead();
  await ask(bulkhead, 'a', 17);
  bulkhead.leave('a', true);
  await vi.advanceTimersByTimeAsync(2_500);
  bulkhead.leave('a', undefined);
  expect((await ask(bulkhead, 'a', 2)).answers).toEqual([true, undefined]);
});

test('requests that arrive later do not make earlier ones wait longer', async () => {
  const bulkhead = createEndpointBulkhead();
  const first = await ask(bulkhead, 'a', 17);
  await vi.advanceTimersByTimeAsync(1_500);
  const second = await ask(bulkhead, 'a', 1);
  await vi.advanceTimersByTimeAsync(500);
  expect([first.count(false), second.count(false)]).toEqual([1, 1]);
});

test.each<[string, Partial<WebhookResponse>, number, boolean]>([
  ['a response', {}, 1_999, true],
  ['a slow response', {}, 2_000, false],
  ['a timeout', { kind: 'unanswered', reason: 'timeout', message: '' }, 10, false],
  ['a refused connection', { kind: 'unanswered', reason: 'connection', message: '' }, 10, true],
])('%s says whether the endpoint is stuck', async (_what, response, durationMs, isQuick) => {
  const { deps, clock } = memoryDeps();
  const left: unknown[] = [];
  const bulkhead = { enter: async () => true, leave: (...args: unknown[]) => void left.push(args) };
  const post = async (): Promise<WebhookResponse> => {
    // The clock of the test advances by a millisecond with each reading.
    clock.advance(durationMs - 1);
    return { kind: 'answered', status: 200, body: '', retryAfter: undefined, ...response } as WebhookResponse;
  };
  const hook = { id: 'whk_a', url: 'https://example.com', secrets: [] };
  await attemptInBulkhead({ ...deps, webhookClient: { post } }, bulkhead, hook, { id: 'evt_a', body: '{}' });
  expect(left).toEqual([['whk_a', isQuick]]);
});

test('nothing is sent to a stuck endpoint, and a request that throws leaves it', async () => {
  const { deps } = memoryDeps();
  const left: unknown[] = [];
  const leave = (...args: unknown[]) => void left.push(args);
  const hook = { id: 'whk_a', url: 'https://example.com', secrets: [] };
  const post = async () => Promise.reject(new Error('a bug'));
  const attempt = (isAdmitted: boolean) =>
    attemptInBulkhead({ ...deps, webhookClient: { post } }, { enter: async () => isAdmitted, leave }, hook, {
      id: 'evt_a',
      body: '{}',
    });
  expect(await attempt(false)).toBeUndefined();
  expect(left).toEqual([]);
  await expect(attempt(true)).rejects.toThrow('a bug');
  expect(left).toEqual([['whk_a', false]]);
});

test('a message that sends nothing, because its delivery is gone, says nothing about the endpoint', async () => {
  const { deps } = memoryDeps();
  const left: unknown[] = [];
  const bulkhead = { enter: async () => true, leave: (...args: unknown[]) => void left.push(args) };
  await deliver(deps, bulkhead, { webhook_id: 'whk_a', delivery_id: 'del_a' });
  expect(left).toEqual([['whk_a', undefined]]);
});
