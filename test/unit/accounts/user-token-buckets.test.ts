// The rate limit of a user's tokens is stored in one attribute of the user row, and only there.
import { beforeEach, describe, expect, test } from 'vitest';
import { type TokenDraw, userTokenBuckets } from '../../../shared/accounts/user-token-buckets.ts';
import { deleteUser } from '../../../shared/erasure/delete-user.ts';
import { awsTable } from '../../../shared/platform/aws/table.ts';
import { type Item, type Table, TransactionCanceled } from '../../../shared/platform/ports.ts';
import {
  computeBucketState,
  computeRetryAfterSeconds,
  userTokenRateLimit,
} from '../../../shared/platform/rate-limit.ts';
import { keys } from '../../../shared/system/keys.ts';
import { userRows } from '../../../shared/users/user-rows.ts';
import { updateUser } from '../../../shared/users/users.ts';
import { openWorld, type World } from '../../harness/erasure/world.ts';
import { oneTo } from '../../harness/outbox.ts';
import { storeOn } from '../../harness/store-on.ts';
import { testDynamoDb } from '../platform/clients.ts';
import { answer, refuse, scriptedServer } from '../platform/scripted-server.ts';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});

const bucketsOver = (table: Table) => userTokenBuckets(storeOn(table, world.clock));
const outcomes = async (draws: Promise<TokenDraw>[]) => (await Promise.all(draws)).map(({ outcome }) => outcome);
const countAdmitted = async (draws: Promise<TokenDraw>[]) =>
  (await outcomes(draws)).filter((each) => each === 'admitted').length;
const readRemaining = ({ bucket }: TokenDraw) =>
  computeBucketState(bucket.fullAtMs, bucket.nowMs, bucket.policy).remaining;
const rowOf = ({ table, id }: World): Promise<Item | undefined> => table.get(keys.user(id));

/** Wraps the table and records the kind of each single write. */
function withCallLog(table: Table, sent: string[]): Table {
  return {
    ...table,
    write(write) {
      sent.push(write.kind);
      return table.write(write);
    },
  };
}

describe('the bucket', () => {
  test('admits 50 requests, reports how many remain, and refills one every 100 ms', async () => {
    world.clock.freeze();
    const buckets = bucketsOver(world.table);
    for (const n of oneTo(50)) expect(readRemaining(await buckets.draw(world.id, 0))).toBe(50 - n);
    const refused = await buckets.draw(world.id, 0);
    expect([refused.outcome, readRemaining(refused)]).toEqual(['limited', 0]);
    expect(computeRetryAfterSeconds(refused.bucket.fullAtMs, refused.bucket.nowMs, refused.bucket.policy)).toBe(1);
    world.clock.advance(99);
    expect((await buckets.draw(world.id, 0)).outcome).toBe('limited');
    world.clock.advance(1);
    expect(await outcomes([buckets.draw(world.id, 0)])).toEqual(['admitted']);
    expect((await buckets.draw(world.id, 0)).outcome).toBe('limited');
    world.clock.advance(5_000);
    expect(readRemaining(await buckets.draw(world.id, 0))).toBe(49);
  });

  test('admits exactly 50 of 60 concurrent requests across any number of functions', async () => {
    world.clock.freeze();
    const functions = oneTo(3).map(() => bucketsOver(world.table));
    const draws = oneTo(60).map((n) => functions[n % 3]?.draw(world.id, 0) ?? Promise.reject());
    expect(await countAdmitted(draws)).toBe(50);
  });

  test('rejects a known excess without a call to the table', async () => {
    const sent: string[] = [];
    const buckets = bucketsOver(withCallLog(world.table, sent));
    expect(buckets.findKnownRejection(world.id)).toBeUndefined();
    for (const _ of oneTo(50)) await buckets.draw(world.id, 0);
    expect(buckets.findKnownRejection(world.id)).toMatchObject({
      outcome: 'limited',
      bucket: { policy: userTokenRateLimit },
    });
    expect(await countAdmitted(oneTo(9).map(() => buckets.draw(world.id, 0)))).toBe(0);
    expect(sent).toHaveLength(50);
  });

  test('loses at most one extra request to a lost response', async () => {
    // Every write succeeds, its response is lost, and the client sends it again.
    const lossyTable: Table = {
      ...world.table,
      async write(write) {
        await world.table.write(write).catch(() => {});
        return world.table.write(write);
      },
    };
    const buckets = bucketsOver(lossyTable);
    expect(readRemaining(await buckets.draw(world.id, 0))).toBeGreaterThanOrEqual(47);
    for (const n of oneTo(10))
      expect(readRemaining(await buckets.draw(world.id, 0))).toBeGreaterThanOrEqual(47 - 2 * n);
  });

  test('is drawn from again after a conflict with a transaction on the user', async () => {
    const mark = { N: String(world.clock.now() + 100) };
    await using server = await scriptedServer(
      refuse('TransactionConflictException'),
      answer(200, { Attributes: { status: { S: 'active' }, sharingEpoch: { N: '0' }, tokenFullAtMs: mark } }),
    );
    const table = awsTable({ client: testDynamoDb(server.endpoint), tableName: 'daybook', backoffMs: 1 });
    expect(readRemaining(await bucketsOver(table).draw(world.id, 0))).toBe(49);
    expect(server.requests).toHaveLength(2);
  });
});

describe('the user row', () => {
  test('changes only in its rate limit attribute, and no other row is written', async () => {
    world.clock.freeze();
    const before = world.table.rows();
    await bucketsOver(world.table).draw(world.id, 0);
    const marked = { ...(await rowOf(world)), tokenFullAtMs: world.clock.now() + 100 };
    expect(world.table.rows()).toEqual(before.map((row) => (row['sk'] === '@USER' ? marked : row)));
  });

  test('can be drawn from between any read and write of it', async () => {
    const { store } = world.deps;
    const read = await userRows(store).findById(world.id);
    if (!read) throw new Error('the user is missing');
    const buckets = bucketsOver(world.table);
    await buckets.draw(world.id, 0);
    await store.commit([userRows(store).buildFinishPass(read, { ...read, lastSyncMs: 7 })]);
    await updateUser(world.deps, world.caller, world.id, { timezone: 'Asia/Tokyo' });
    expect(readRemaining(await buckets.draw(world.id, 0))).toBe(48);
    expect(await userRows(store).findById(world.id)).toMatchObject({ timezone: 'Asia/Tokyo', lastSyncMs: 7 });
    await expect(store.commit([userRows(store).buildFinishPass(read, read)])).rejects.toThrow(TransactionCanceled);
  });

  test.each([
    ['is being deleted', async () => void (await deleteUser(world.deps, world.caller, world.id))],
    ['is erased', async () => void (await world.table.write({ kind: 'delete', key: keys.user(world.id) }))],
  ])(
    'of a user that %s is left unchanged, and the remaining tokens of the user are still limited',
    async (_how, go) => {
      const sent: string[] = [];
      const buckets = bucketsOver(withCallLog(world.table, sent));
      await buckets.draw(world.id, 0);
      await go();
      const before = world.table.rows();
      expect(await countAdmitted(oneTo(60).map(() => buckets.draw(world.id, 0)))).toBe(50);
      expect(buckets.findKnownRejection(world.id)?.outcome).toBe('limited');
      const sentBefore = sent.length;
      world.clock.advance(100);
      expect(buckets.findKnownRejection(world.id)).toBeUndefined();
      expect(await countAdmitted(oneTo(5).map(() => buckets.draw(world.id, 0)))).toBe(1);
      expect(sent).toHaveLength(sentBefore);
      expect(world.table.rows()).toEqual(before);
    },
  );
});
