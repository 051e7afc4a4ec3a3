// Loses the first message of each edge. `npm run test:deep` loses, repeats and delays every
// message.
import { expect, test } from 'vitest';
import { redeliverAll, testFaults } from '../../harness/message-edges/faulty-journey.ts';
import { allEdges } from '../../harness/message-edges/manifest-edges.ts';

const journey = await testFaults({ fates: ['drop'], per: 'edge' });

test('the journey covers days, scores and deliveries, and the deleted user has one user.deleted event', () => {
  const after = (name: string) => journey.steps.find(({ step }) => step.name === name)?.outcome;
  const disconnected = after('a device is disconnected');
  expect(disconnected?.user?.days.steps).toEqual([null, null, null, 7_000, 8_000, 9_000, null]);
  expect(JSON.stringify(disconnected?.user?.scores)).toContain('"value":');
  expect(after('a sandbox user is created')?.sandboxUser?.devices).toHaveLength(2);
  expect(after('the person joins')).toMatchObject({
    team: ['active somebody@example.com'],
    mails: ['somebody@example.com a journey invites you to its team on Daybook'],
  });
  const end = journey.steps.at(-1)?.outcome;
  expect(end?.team).toEqual([]);
  expect(end?.live.events.filter((event) => event.includes('user.deleted'))).toHaveLength(1);
  expect([end?.leftovers, end?.liveDeliveries]).toEqual([[[], []], { rows: 0, listed: undefined }]);
  expect(end?.sandboxDeliveries.rows).toBe(end?.sandbox.events.length);
});

test('every message of the journey, redelivered at its end, changes nothing', () => redeliverAll(journey));

test('every edge of the manifest lost a message', () => {
  expect(allEdges.filter((edge) => !journey.tried.has(edge))).toEqual([]);
});
