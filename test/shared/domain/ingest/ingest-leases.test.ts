import { beforeEach, describe, expect, test } from 'vitest';
import { disconnectDevice } from '../../../../shared/domain/devices/devices.ts';
import { updateUser } from '../../../../shared/domain/users/users.ts';
import { type Table, TransactionRefused } from '../../../../shared/engine/ports.ts';
import { batchRows } from '../../../../shared/store/batches.ts';
import { ingestLeaseRows } from '../../../../shared/store/ingest-leases.ts';
import { keys, waitingPrefix } from '../../../../shared/store/keys.ts';
import { memoryTable } from '../../../harness/memory-table.ts';
import { type RacedUser, raceUser } from '../../../harness/raced-user.ts';
import {
  evening,
  late,
  nextMorning,
  phone,
  steps,
  tokyo,
  waiting,
  watch,
} from '../../../harness/races/scenarios/cast.ts';
import { leavingOf, rezoningOf } from '../../../harness/waiting.ts';
import { write } from '../../../harness/write-person.ts';

let user: RacedUser;
beforeEach(async () => {
  user = await raceUser(memoryTable(), null);
  await waiting(user, [watch, evening], [watch, late]);
});

const lease = () => user.table.get(keys.ingestLease(user.id));
async function takenByAnother(): Promise<void> {
  const now = user.deps.clock.now();
  const another = { worker: 'another', oldest: '' };
  expect(await ingestLeaseRows(user.deps.store).take(user.id, another, now, now + 60_000)).toBe(1);
}
/** As the rows of the uploads have it. */
async function sizesBecome(records: number | undefined): Promise<void> {
  for (const { receivedMs, batch } of await left())
    await user.table.write({
      kind: 'update',
      key: keys.batch(user.id, receivedMs, batch),
      ...(records === undefined
        ? { update: 'REMOVE #records' }
        : { update: 'SET #records = :records', values: { records } }),
    });
}
const left = () => batchRows(user.deps.store).waiting(user.id, 10);

/** Once a worker has found nothing left to do, something happens before it is told so. */
function onceDone(happens: () => Promise<void>): Table {
  let done = false;
  return {
    ...user.table,
    async query(asked) {
      const page = await user.table.query(asked);
      if (done || asked.values['prefix'] !== waitingPrefix || page.items.length > 0) return page;
      done = true;
      await happens();
      return page;
    },
  };
}

const carriedOut = {
  move: async () => (await rezoningOf(user.deps, user.id))?.againMs !== null,
  removal: async () => (await leavingOf(user.deps, user.id)).againMs !== null,
};
const happens = {
  move: () => updateUser(user.deps, user.caller, user.id, { timezone: tokyo }),
  removal: async () => disconnectDevice(user.deps, user.caller, user.id, await user.deviceId(watch)),
};

describe.each(['move', 'removal'] as const)('a %s', (change) => {
  test('is left to whoever has the lease, and is made once that has run out', async () => {
    await write(user.deps, user.id);
    await happens[change]();
    await takenByAnother();
    await write(user.deps, user.id);
    expect(await carriedOut[change]()).toBe(false);
    await write(user.over(user.table, true), user.id);
    expect(await carriedOut[change]()).toBe(true);
    expect(await lease()).toBeUndefined();
  });
});

describe('one upload alone, while another worker has the lease,', () => {
  const uploads = (records: number) =>
    Array.from({ length: records }, (_none, at) => steps(iso(at), 1)).flatMap(({ samples }) => samples ?? []);
  const iso = (minute: number) => new Date(Date.parse('2026-03-10T00:00:00Z') + minute * 60_000).toISOString();

  test.each([
    ['is worked in at once when it is small', 100, 0],
    ['is left to that one when it is large', 101, 1],
  ])('%s', async (_what, records, stays) => {
    await write(user.deps, user.id);
    await waiting(user, [phone, { samples: uploads(records) }]);
    await takenByAnother();
    await write(user.deps, user.id);
    expect(await left()).toHaveLength(stays);
  });

  test('is left to that one when nobody knows how large it is', async () => {
    await write(user.deps, user.id);
    await waiting(user, [phone, evening]);
    await sizesBecome(undefined);
    await takenByAnother();
    await write(user.deps, user.id);
    expect(await left()).toHaveLength(1);
  });
});

test.each([
  [100_000, [2]],
  [100_001, [1, 1]],
])('uploads of %d records each are worked in as %j', async (records, expected) => {
  await sizesBecome(records);
  const together: number[] = [];
  const watched: Table = {
    ...user.table,
    async transact(writes) {
      const done = writes.filter((write) => write.kind === 'delete' && write.key.sk.startsWith('B#')).length;
      if (done > 0) together.push(done);
      return user.table.transact(writes);
    },
  };
  await write(user.over(watched, false), user.id);
  expect(together).toEqual(expected);
});

test('a worker that others came between goes on with what it began, whoever has the lease by then', async () => {
  await write(user.deps, user.id);
  await waiting(user, [watch, nextMorning]);
  let refused = false;
  const disturbing: Table = {
    ...user.table,
    async transact(writes) {
      if (refused) return user.table.transact(writes);
      refused = true;
      await waiting(user, [phone, evening], [phone, late]);
      await takenByAnother();
      throw new TransactionRefused(writes.map(() => undefined));
    },
  };
  await write(user.over(disturbing, false), user.id);
  expect(await left()).toEqual([]);
});

test('a worker that fails gives its lease back, for whoever comes when it is called again', async () => {
  const failing: Table = { ...user.table, transact: () => Promise.reject(new Error('throttled')) };
  await expect(write(user.over(failing, false), user.id)).rejects.toThrow('throttled');
  expect(await lease()).toBeUndefined();
});

describe('of several workers one works waiting uploads in', () => {
  test('and the others leave them to it', async () => {
    await takenByAnother();
    await write(user.deps, user.id);
    expect(await left()).toHaveLength(2);
  });

  test('until it is gone for longer than a worker lives', async () => {
    await takenByAnother();
    await write(user.over(user.table, true), user.id);
    expect(await left()).toEqual([]);
  });

  test('and gives its lease back', async () => {
    await write(user.deps, user.id);
    expect(await left()).toEqual([]);
    expect(await lease()).toBeUndefined();
  });

  test('and looks again for what others brought and left to it', async () => {
    const busy = onceDone(async () => {
      expect(await lease()).toBeDefined();
      await waiting(user, [phone, nextMorning], [phone, evening]);
      await write(user.deps, user.id);
      expect(await left()).toHaveLength(2);
    });
    await write(user.over(busy, false), user.id);
    expect(await left()).toEqual([]);
  });
});
