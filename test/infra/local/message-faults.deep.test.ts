import { expect, test } from 'vitest';
import { testFaults } from '../../harness/arrows/faulty-journey.ts';
import { allEdges } from '../../harness/arrows/manifest-edges.ts';

const { tried } = await testFaults({ fates: ['drop', 'double', 'late'], per: 'message' });

test('every arrow of the map has had its faults', () => {
  expect([...tried].sort()).toEqual([...allEdges].sort());
});
