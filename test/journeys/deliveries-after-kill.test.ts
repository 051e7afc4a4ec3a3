import { test } from 'vitest';
import { randomFrom } from '../harness/faults.ts';
import { deliverThroughKills } from './killed-deliveries.ts';

test('a host killed while it delivers still delivers every change, and nothing that did not happen', () =>
  deliverThroughKills([{ stage: 'delivered', after: 10, delayMs: 10 }], randomFrom(1)));
