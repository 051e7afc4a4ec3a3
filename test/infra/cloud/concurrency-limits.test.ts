import { expect, test } from 'vitest';
import { scaleConcurrency } from '../../../infra/cloud/deployment-options.ts';
import { accountConcurrency, type FunctionSpec } from '../../../infra/function-spec.ts';
import { functions } from '../../../infra/functions.ts';

const specs = Object.values<FunctionSpec>(functions);

test('the workers of all queues together leave capacity for the API, even if they all hang', () => {
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
  'polls and pushes of %i users fit into the concurrency of sync, with %s concurrent runs',
  (users, concurrentRuns) => {
    const { trigger }: FunctionSpec = functions.sync;
    if (trigger.kind !== 'queue') throw new Error('sync must be triggered by its queue');
    // Two wearables per user, each polled four times a day, and ten pushes per user and day; three
    // times that rate in the morning, at 1.5 seconds each.
    const perSecond = (2 * users * 4 + users * 10) / 86_400;
    const options = { ephemeral: false, emulator: false, ...(concurrentRuns === undefined ? {} : { concurrentRuns }) };
    const runs = scaleConcurrency(trigger.maxConcurrency ?? 0, options);
    expect(runs * trigger.batchSize).toBeGreaterThan(perSecond * 3 * 1.5);
  },
);

test('requests that need no key have their own limit', () => {
  const { trigger }: FunctionSpec = functions.push;
  expect(trigger.kind === 'http' && trigger.maxPerSecond).toBe(2_000);
  const { trigger: ofSignIn }: FunctionSpec = functions['sign-in'];
  const limited = ofSignIn.kind === 'http' ? ofSignIn.routes.filter((route) => route.maxPerSecond !== undefined) : [];
  expect(limited.map(({ path, maxPerSecond }) => [path, maxPerSecond])).toEqual([
    ['/console/api/sign-in/links', 50],
    ['/console/api/sign-in/links/description', 200],
    ['/console/api/sign-in/passkeys/options', 200],
  ]);
});

test.each([
  [undefined, 300, 10],
  [3_000, 900, 30],
  [10_000, 1_000, 100],
  [100, 30, 2],
])("with %s concurrent runs a worker gets its share, within Lambda's limits", (concurrentRuns, large, small) => {
  const options = { ephemeral: false, emulator: false, ...(concurrentRuns === undefined ? {} : { concurrentRuns }) };
  expect([scaleConcurrency(300, options), scaleConcurrency(10, options)]).toEqual([large, small]);
});
