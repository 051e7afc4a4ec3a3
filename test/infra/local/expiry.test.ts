import { expect, test } from 'vitest';
import { removeExpired } from '../../../infra/local/expiry.ts';
import { startTable } from '../../shared/store/engines.ts';

test('what has expired is removed, however much there is, and nothing else', async () => {
  const place = await startTable();
  const now = Date.UTC(2026, 2, 10);
  const second = Math.floor(now / 1000);
  const put = (sk: string, more: object) => ({ kind: 'put' as const, item: { pk: 'P', sk, ...more } });
  await place.table.batchWrite([
    ...Array.from({ length: 2_500 }, (_none, n) => put(`OLD#${n}`, { ttl: second - 1 - n })),
    put('NOW', { ttl: second }),
    put('LATER', { ttl: second + 1 }),
    put('NEVER', {}),
  ]);
  await removeExpired(place, now, { stopped: false });
  const { items } = await place.table.query({ where: '#pk = :pk', values: { pk: 'P' } });
  expect(items.map(({ sk }) => sk)).toEqual(['LATER', 'NEVER', 'NOW']);
  await place.stop();
});
