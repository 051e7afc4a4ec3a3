import { expect, test } from 'vitest';
import { createBodyBulkhead } from '../../../shared/http/body-bulkhead.ts';
import { Failure } from '../../../shared/system/failure.ts';

const small = async () => new Uint8Array(10);
const heavy = async () => new Uint8Array(1_000_001);

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: resolve };
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('large bodies are processed one after the other, and small ones in parallel', async () => {
  const bulkhead = createBodyBulkhead();
  const first = gate();
  const order: string[] = [];
  const work =
    (name: string, until = Promise.resolve()) =>
    async () => {
      order.push(`begins ${name}`);
      await until;
      order.push(`ends ${name}`);
    };
  const all = [bulkhead(heavy, work('a', first.promise)), bulkhead(heavy, work('b')), bulkhead(small, work('small'))];
  await nextTurn();
  expect(order).toEqual(['begins a', 'begins small', 'ends small']);
  first.open();
  await Promise.all(all);
  expect(order.slice(3)).toEqual(['ends a', 'begins b', 'ends b']);
});

test('of too many large bodies the last are rejected with a retry time, and afterwards there is room', async () => {
  const bulkhead = createBodyBulkhead();
  const first = gate();
  const all = Array.from({ length: 10 }, () => bulkhead(heavy, () => first.promise).catch((error: unknown) => error));
  await nextTurn();
  await nextTurn();
  first.open();
  const refused = (await Promise.all(all)).filter((outcome) => outcome !== undefined);
  expect(refused).toHaveLength(5);
  for (const error of refused) {
    expect(error).toBeInstanceOf(Failure);
    expect(error).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
  }
  expect(await bulkhead(heavy, async () => 'done')).toBe('done');
});

test('at most two bodies are decompressed at a time, and one that fails passes its turn on', async () => {
  const bulkhead = createBodyBulkhead();
  const first = gate();
  let unpacking = 0;
  let maxUnpacking = 0;
  const unpack = async () => {
    maxUnpacking = Math.max(maxUnpacking, ++unpacking);
    await first.promise;
    unpacking--;
    throw new Error('no gzip');
  };
  const all = Array.from({ length: 6 }, () => bulkhead(unpack, async () => {}).catch(() => 'failed'));
  await nextTurn();
  first.open();
  expect(await Promise.all(all)).toEqual(Array(6).fill('failed'));
  expect(maxUnpacking).toBe(2);
  expect(await bulkhead(small, async () => 'done')).toBe('done');
});
