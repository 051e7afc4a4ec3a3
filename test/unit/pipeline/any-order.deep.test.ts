import { afterAll, beforeAll } from 'vitest';
import { openWorkshop, type Workshop } from '../../harness/worker-deps.ts';
import { tryAnyOrder } from './any-order.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.place.stop());

tryAnyOrder(() => shop, 25);
