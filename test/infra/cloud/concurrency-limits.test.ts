import { expect, test } from 'vitest';
import { scaleConcurrency } from '../../../infra/cloud/deployment-options.ts';
import { accountConcurrency, type FunctionSpec } from '../../../infra/function-spec.ts';
import { functions } from '../../../infra/functions.ts';

const specs = Object.values<FunctionSpec>(functions);

test('whatever hangs, the workers of all queues together leave the API room in an account', () => {
  const bounds = specs.flatMap(({ trigger }) => (trigger.kind === 'queue' ? [trigger.maxConcurrency ?? Infinity] : []));
  expect(bounds.length).toBeGreaterThan(5);
  expect(Math.min(...bounds)).toBeGreaterThanOrEqual(2);
  expect(bounds.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(accountConcurrency.ofQueues);
  expect(accountConcurrency.all - accountConcurrency.ofQueues).toBeGreaterThanOrEqual(300);
});

test.each([
  [300_000, undefined],
  [1_000_000, 3_200],
])(
  'polls and pushes of %i users fit into what sync may work on at once, with room for %s runs',
  (users, concurrentRuns) => {
    const { trigger }: FunctionSpec = functions.sync;
    if (trigger.kind !== 'queue') throw new Error('sync is woken by its queue');
    // Two wearables each, asked four times a day, that push ten times; three times as many in the morning, a second and a half each.
    const aSecond = (2 * users * 4 + users * 10) / 86_400;
    const options = { ephemeral: false, emulator: false, ...(concurrentRuns === undefined ? {} : { concurrentRuns }) };
    const runs = scaleConcurrency(trigger.maxConcurrency ?? 0, options);
    expect(runs * trigger.batchSize).toBeGreaterThan(aSecond * 3 * 1.5);
  },
);

test('what anybody may send without a key has a limit of its own', () => {
  const { trigger }: FunctionSpec = functions.push;
  expect(trigger.kind === 'http' && trigger.maxPerSecond).toBe(2_000);
});

test.each([
  [undefined, 300, 10],
  [3_000, 900, 30],
  [10_000, 1_000, 100],
  [100, 30, 2],
])('with room for %s runs a worker has its part, within what Lambda takes', (concurrentRuns, large, small) => {
  const options = { ephemeral: false, emulator: false, ...(concurrentRuns === undefined ? {} : { concurrentRuns }) };
  expect([scaleConcurrency(300, options), scaleConcurrency(10, options)]).toEqual([large, small]);
});
