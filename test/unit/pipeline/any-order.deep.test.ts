import { afterAll, beforeAll } from 'vitest';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import { tryAnyOrder } from './any-order.ts';

let shop: EngineDomainWorld;
beforeAll(async () => {
  shop = await openEngineDomainWorld();
});
afterAll(() => shop.localTable.stop());

tryAnyOrder(() => shop, 25);
