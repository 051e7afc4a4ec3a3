import { expect, test } from 'vitest';
import { syncDevice } from '../../../../shared/domain/sync/sync-device.ts';
import { wakeDue } from '../../../../shared/domain/work/wake-due.ts';
import { jobs } from '../../../../shared/model/jobs.ts';
import { minutes, syncWorld } from '../../../harness/sync-world.ts';

test('those who wait for a limit are woken when it is their turn, and everybody has one', async () => {
  const world = syncWorld({ provider: 'ultrahuman' });
  const people: [string, string][] = [];
  for (let at = 0; at < 60; at++) {
    const user = await world.user();
    people.push([user, await world.connect(user, `p${at}`)]);
  }
  world.waiting.length = 0;
  world.vendor.requests.length = 0;
  let runs = 0;
  const work = async () => {
    const found = world.waiting.splice(0).filter(({ queue }) => queue === 'sync');
    // The last first: whoever comes early must not win each time.
    for (const { body } of found.reverse()) {
      const job = jobs.sync.parse(body);
      if (!('device_id' in job)) continue;
      runs += 1;
      await syncDevice(world.deps, job.user_id, job.device_id);
    }
  };
  for (let minute = 0; minute < 45; minute++) {
    world.clock.advance(minutes(1));
    await wakeDue(world.deps, 'sync');
    for (let more = 0; more < 4; more++) await work();
  }
  const asked = world.vendor.requests.length;
  expect(runs / asked).toBeLessThan(0.5);
  // Two windows fit into what a minute allows.
  expect(asked).toBeGreaterThan(45 * 16);
  const rows = await Promise.all(people.map(([user, device]) => world.row(user, device)));
  const begun = rows.map((row) => row?.history === null || (row?.history?.to ?? '9') < '2026-03-12');
  expect(begun.filter((has) => !has)).toEqual([]);
});
