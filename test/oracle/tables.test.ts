import { afterAll, beforeAll, expect, test } from 'vitest';
import { type System, startSystem } from '../harness/system.ts';
import { metrics } from './metric-table.ts';
import { allowedMethods, defaultMethod } from './rules.ts';

let system: System;
let token: string;

beforeAll(async () => {
  system = await startSystem();
  token = (await system.account()).live_key;
});
afterAll(() => system.stop());

test('the metrics match those of the service, in order', async () => {
  const { body } = await system.call('GET', '/v1/metrics', { token });
  const shown: Record<string, unknown>[] = body.metrics;
  const daily = shown.filter(({ category }) => category !== 'scores');
  expect(daily.map(({ display_name: _name, description: _text, read_from: _from, ...rest }) => rest)).toEqual(
    metrics.map(({ imperialUnit, imperialPrecision, ...rest }) => ({
      ...rest,
      imperial_unit: imperialUnit,
      imperial_precision: imperialPrecision,
    })),
  );
});

test('the methods match those that the service allows', async () => {
  const { body } = await system.call('GET', '/v1/consolidation/catalog', { token });
  const shown: { key: string; default_method: string; allowed_methods: string[] }[] = body.metrics;
  const describeMethods = (key: string, first: string, allowed: string[]): string =>
    `${key}: ${first} of ${allowed.toSorted()}`;
  expect(shown.map((entry) => describeMethods(entry.key, entry.default_method, entry.allowed_methods))).toEqual(
    shown.map(({ key }) => describeMethods(key, defaultMethod(key), allowedMethods(key))),
  );
});
