import { expect, test } from 'vitest';
import { ceilingOf } from '../../../infra/cloud/options.ts';
import { accountRuns, type FunctionSpec } from '../../../infra/function-spec.ts';
import { functions } from '../../../infra/functions.ts';

const specs = Object.values<FunctionSpec>(functions);

test('whatever hangs, the workers of all queues together leave the API room in an account', () => {
  const bounds = specs.flatMap(({ trigger }) => (trigger.kind === 'queue' ? [trigger.mostAtOnce ?? Infinity] : []));
  expect(bounds.length).toBeGreaterThan(5);
  expect(Math.min(...bounds)).toBeGreaterThanOrEqual(2);
  expect(bounds.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(accountRuns.ofQueues);
  expect(accountRuns.all - accountRuns.ofQueues).toBeGreaterThanOrEqual(300);
});

test('what anybody may send without a key has a limit of its own', () => {
  const { trigger }: FunctionSpec = functions.push;
  expect(trigger.kind === 'http' && trigger.mostPerSecond).toBe(2_000);
});

test.each([
  [undefined, 300, 10],
  [3_000, 900, 30],
  [10_000, 1_000, 100],
  [100, 30, 2],
])('with room for %s runs a worker has its part, within what Lambda takes', (concurrentRuns, large, small) => {
  const options = { ephemeral: false, emulator: false, ...(concurrentRuns === undefined ? {} : { concurrentRuns }) };
  expect([ceilingOf(300, options), ceilingOf(10, options)]).toEqual([large, small]);
});
