import { expect, test } from 'vitest';
import type { FunctionSpec } from '../../../infra/function-spec.ts';
import { accountRuns, functions } from '../../../infra/functions.ts';

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
