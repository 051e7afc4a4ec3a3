// The addresses of these pages are credentials, so the pages are not cached and send no referrer.

import { beforeAll, expect, test } from 'vitest';
import { contract } from '../../functions/api/reference/contract.ts';
import { printLog } from '../harness/print-log.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';
import { pathOf, samples } from './samples.ts';

let system: System;
beforeAll(async () => {
  system = await sharedSystem();
});

const pages = contract.filter(({ failurePage, route }) => failurePage && route.method !== 'delete');

test.each(pages.map((endpoint) => [endpoint.route.operationId, endpoint] as const))(
  '%s is not cached, sends no referrer, and its address is not logged',
  async (name, { route }) => {
    const token = (await system.account()).live_key;
    const sample = await samples[name]?.({ system, token, userId: await system.user(token) });
    if (!sample) throw new Error(`${name} has no sample`);
    const { raw, params = {}, query = '' } = sample;
    const response = await system.call(route.method.toUpperCase(), pathOf(route.path, params) + query, {
      ...(raw === undefined ? {} : { raw }),
      headers: { accept: 'text/html', ...sample.headers },
    });
    expect(response.status).toBe(sample.status);
    expect([response.headers.get('cache-control'), response.headers.get('referrer-policy')]).toEqual([
      'no-store',
      'no-referrer',
    ]);
    const log = printLog(system.log);
    const secrets = [...Object.values(params), ...new URLSearchParams(query).values()].filter(
      (value) => value.length > 40,
    );
    for (const secret of secrets) expect(log).not.toContain(secret);
  },
);
