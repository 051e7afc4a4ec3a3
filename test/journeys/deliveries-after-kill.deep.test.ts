import { test } from 'vitest';
import { faultSeeds, randomFrom } from '../harness/faults.ts';
import { deliverThroughKills, randomKillMoment } from './killed-deliveries.ts';

test.each(faultSeeds(3))(
  'a host killed at any moment delivers every change, and nothing that did not happen (seed %i)',
  (seed) => {
    const random = randomFrom(seed);
    return deliverThroughKills([randomKillMoment(random), randomKillMoment(random)], random);
  },
  60_000,
);
