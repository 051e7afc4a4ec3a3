// A message that is already being handled in the same process.
import { expect, test } from 'vitest';
import { groupBudgetMs } from '../../../functions/runtime/run-budget.ts';
import { deliverWorker } from '../../../functions/workers/deliver.ts';
import { openDeliveryWorld } from '../../harness/delivery-world.ts';
import { memoryTable } from '../../harness/memory-table.ts';

test('a repeated message starts no second run, unless the time of the first one is up', async () => {
  const table = memoryTable();
  const hangs: (() => void)[] = [];
  const hang = () => new Promise<never>((_resolve, reject) => hangs.push(() => reject(new Error('too late'))));
  const world = openDeliveryWorld(table);
  world.clock.freeze();
  const deps = world.withTable({ ...table, get: hang, query: hang, batchGet: hang });
  const take = deliverWorker(deps);
  const job = { webhook_id: 'wh_00000000000000000000000000', delivery_id: 'dlv_00000000000000000000000000' } as const;
  const first = take(job);
  await expect(take(job)).resolves.toBeUndefined();
  expect(hangs).toHaveLength(1);

  world.clock.advance(groupBudgetMs - 1);
  await take(job);
  expect(hangs).toHaveLength(1);
  world.clock.advance(1);
  const second = take(job);
  await expect.poll(() => hangs.length).toBe(2);

  hangs[0]?.();
  await expect(first).rejects.toThrow('too late');
  await expect(take(job), 'the end of the first run does not admit a third one').resolves.toBeUndefined();
  hangs[1]?.();
  await expect(second).rejects.toThrow('too late');
});
