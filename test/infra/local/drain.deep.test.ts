import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { chainHost, isDone, startChain } from './chain-host.ts';

const hasJava = spawnSync('java', ['-version']).status === 0;

describe('drain', () => {
  test('returns only when a request has completed its chain: queue, table, stream, bus, queue, table', async () => {
    const host = await chainHost();
    for (let round = 0; round < 10; round += 1) {
      const ids = Array.from({ length: 5 }, (_, i) => `${round}-${i}`);
      await Promise.all(ids.map((id) => startChain(host, id)));
      await host.drain();
      expect(await Promise.all(ids.map((id) => isDone(host, id)))).toEqual(ids.map(() => true));
    }
  });

  test.skipIf(!hasJava)('also works on DynamoDB Local', async () => {
    const host = await chainHost({ tableEngine: 'dynamodb-local' });
    await startChain(host, 'elsewhere');
    await host.drain();
    expect(await isDone(host, 'elsewhere')).toBe(true);
  });
});
