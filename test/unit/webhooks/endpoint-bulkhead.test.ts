import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEndpointBulkhead, mostInFlight } from '../../../shared/webhooks/endpoint-bulkhead.ts';

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
  return { count: (answer: boolean | undefined) => answers.filter((each) => each === answer).length };
}

test('requests wait for an endpoint that responds, and more of them proceed with each response', async () => {
  const bulkhead = createEndpointBulkhead();
  const asked = await ask(bulkhead, 'a', 200);
  expect(asked.count(true)).toBe(4);
  let inFlight = 4;
  const mostInFlight: number[] = [];
  for (let left = 0; left < 200; left += 1) {
    await vi.advanceTimersByTimeAsync(1_900);
    bulkhead.leave('a', true);
    await vi.advanceTimersByTimeAsync(0);
    inFlight = asked.count(true) - left - 1;
    mostInFlight.push(inFlight);
  }
  expect(mostInFlight.slice(0, 3)).toEqual([5, 6, 7]);
  expect(Math.max(...mostInFlight)).toBe(16);
  expect([asked.count(true), inFlight]).toEqual([200, 0]);
  expect(vi.getTimerCount()).toBe(0);
});

test('requests to an endpoint that does not respond free their workers after two seconds', async () => {
  const bulkhead = createEndpointBulkhead();
  const asked = await ask(bulkhead, 'hanging', 40);
  await vi.advanceTimersByTimeAsync(1_999);
  expect([asked.count(true), asked.count(undefined)]).toEqual([4, 36]);
  await vi.advanceTimersByTimeAsync(1);
  expect([asked.count(true), asked.count(false)]).toEqual([4, 36]);
  expect((await ask(bulkhead, 'hanging', 5)).count(false)).toBe(5);
  expect((await ask(bulkhead, 'another', 4)).count(true)).toBe(4);
  bulkhead.leave('hanging', false);
  expect((await ask(bulkhead, 'hanging', 1)).count(true)).toBe(1);
  expect((await ask(bulkhead, 'hanging', 1)).count(false)).toBe(1);
  bulkhead.leave('hanging', true);
  const after = await ask(bulkhead, 'hanging', 3);
  expect([after.count(true), after.count(undefined)]).toEqual([2, 1]);
});

test('a slow response refuses what waits, and the endpoint begins again with few requests', async () => {
  const bulkhead = createEndpointBulkhead();
  await ask(bulkhead, 'a', 4);
  for (let times = 0; times < 20; times += 1) {
    bulkhead.leave('a', true);
    await ask(bulkhead, 'a', 2);
  }
  const waiting = await ask(bulkhead, 'a', 20);
  const [admitted, queued] = [waiting.count(true), waiting.count(undefined)];
  expect(admitted + queued).toBe(20);
  expect(queued).toBeGreaterThan(0);
  bulkhead.leave('a', false);
  await vi.advanceTimersByTimeAsync(0);
  expect(waiting.count(false)).toBe(queued);
  expect(vi.getTimerCount()).toBe(0);
  expect((await ask(bulkhead, 'a', 1)).count(true)).toBe(0);
});

test('those who limit their requests otherwise begin with the maximum', async () => {
  const bulkhead = createEndpointBulkhead({ minInFlight: mostInFlight });
  const asked = await ask(bulkhead, 'a', 20);
  expect([asked.count(true), asked.count(undefined)]).toEqual([16, 4]);
});

test('at most 256 requests wait for a response', async () => {
  const bulkhead = createEndpointBulkhead();
  const asked = await ask(bulkhead, 'a', 300);
  expect([asked.count(true), asked.count(undefined), asked.count(false)]).toEqual([4, 256, 40]);
});
