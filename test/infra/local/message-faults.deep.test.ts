import { expect, test } from 'vitest';
import { testFaults } from '../../harness/message-edges/faulty-journey.ts';
import { allEdges } from '../../harness/message-edges/manifest-edges.ts';

const { tried } = await testFaults({ fates: ['drop', 'double', 'late'], per: 'message' });

test('every edge of the manifest was tested with every fault', () => {
  expect([...tried].sort()).toEqual([...allEdges].sort());
});
