import { afterAll, beforeAll } from 'vitest';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import { tryAnyOrder } from './any-order.ts';

let world: EngineDomainWorld;
beforeAll(async () => {
  world = await openEngineDomainWorld();
});
afterAll(() => world.localTable.stop());

tryAnyOrder(() => world, 25);
