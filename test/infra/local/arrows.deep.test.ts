import { expect, test } from 'vitest';
import { tryFaults } from '../../harness/arrows/faulty-journey.ts';
import { everyArrow } from '../../harness/arrows/map-arrows.ts';

const { tried } = await tryFaults({ fates: ['drop', 'double', 'late'], each: 'message' });

test('every arrow of the map has had its faults', () => {
  expect([...tried].sort()).toEqual([...everyArrow].sort());
});
