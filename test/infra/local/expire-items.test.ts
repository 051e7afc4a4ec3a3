import { expect, test } from 'vitest';
import { expireDaily, removeExpired } from '../../../infra/local/expire-items.ts';
import { createWaitControl } from '../../../infra/local/wait-control.ts';
import { frozenClock } from '../../harness/clock.ts';
import { startTable } from '../../unit/system/engines.ts';

test('all expired items are removed, however many there are, and nothing else', async () => {
  const localTable = await startTable();
  const now = Date.UTC(2026, 2, 10);
  const second = Math.floor(now / 1000);
  const put = (sk: string, more: object) => ({ kind: 'put' as const, item: { pk: 'P', sk, ...more } });
  // More than one query returns.
  await localTable.table.batchWrite([
    ...Array.from({ length: 1_100 }, (_none, n) => put(`OLD#${n}`, { ttl: second - 1 - n })),
    put('NOW', { ttl: second }),
    put('LATER', { ttl: second + 1 }),
    put('NEVER', {}),
  ]);
  await removeExpired(localTable, now, { stopped: false });
  const { items } = await localTable.table.query({ where: '#pk = :pk', values: { pk: 'P' } });
  expect(items.map(({ sk }) => sk)).toEqual(['LATER', 'NEVER', 'NOW']);
  await localTable.stop();
});

test('expiry follows the clock of the host, not of the machine', async () => {
  const localTable = await startTable();
  const now = Date.UTC(2026, 2, 10);
  const second = Math.floor(now / 1000);
  await localTable.table.batchWrite(
    [second - 60, second + 60].map((ttl) => ({ kind: 'put', item: { pk: 'P', sk: String(ttl), ttl } })),
  );
  let rests = 0;
  const waits = {
    ...createWaitControl(),
    waitThroughDrain: async () => void rests++,
    get stopped() {
      return rests > 1;
    },
  };
  await expireDaily(localTable, waits, frozenClock(now), () => {});
  const { items } = await localTable.table.query({ where: '#pk = :pk', values: { pk: 'P' } });
  expect(items.map(({ sk }) => sk)).toEqual([String(second + 60)]);
  await localTable.stop();
});
