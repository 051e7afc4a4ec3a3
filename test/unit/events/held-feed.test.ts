// What a held feed does while its first row, or all of it, cannot be numbered: which rows are tried,
// in which order, and which one is found to be at fault.
import { expect, test, vi } from 'vitest';
import { outboxRows } from '../../../shared/events/outbox-rows.ts';
import { parkedRows } from '../../../shared/events/parked-rows.ts';
import { EngineUnavailable, type Key, type Write } from '../../../shared/platform/ports.ts';
import { keys } from '../../../shared/system/keys.ts';
import { type FeedFlood, passSeconds } from '../../harness/fail-feed.ts';
import { openFeedFlood } from '../../harness/feed-flood.ts';
import { newEvent, oneTo, readAllFeedRows, writeEvents } from '../../harness/outbox.ts';

/** Each minute has a sweep. The feed is then tried once if it fails, and drained if it works. */
const passQuietMinutes = (world: FeedFlood, minutes: number): Promise<void> => passSeconds(world, minutes * 60, 0);

/** Events of the failing feed, one for each of these users. */
async function commitOf({ deps, clock, flooded }: FeedFlood, userIds: readonly string[]) {
  const events = userIds.map((userId) => newEvent(flooded, { atMs: clock.now(), userId }));
  return { ids: events.map(({ id }) => id), rows: await writeEvents(deps.store, events) };
}

const newUserIds = ({ flooded }: FeedFlood, count: number): string[] =>
  oneTo(count).map(() => newEvent(flooded).userId ?? '');

/** Commits the feed's first event, which can never be numbered. */
async function commitFirstRefused(world: FeedFlood): Promise<{ bad: Key[]; userId: string }> {
  const bad = await world.commitRefused();
  const [userId = ''] = Object.keys((await world.compareOrder(world.flooded)).committed);
  return { bad, userId };
}

/** Calls `watch` with the outbox rows that each page's transaction deletes, before it is tried. */
function watchPages({ deps, flooded }: FeedFlood, watch: (rows: readonly Key[]) => void): void {
  const { pk: pages } = keys.feedPage(flooded.account, flooded.env, 1);
  const { transact } = deps.store.table;
  const isPage = (write: Write): boolean => write.kind === 'put' && write.item.pk === pages;
  vi.spyOn(deps.store.table, 'transact').mockImplementation(async (writes) => {
    if (writes.some(isPage)) watch(writes.flatMap((write) => (write.kind === 'delete' ? [write.key] : [])));
    return transact(writes);
  });
}

/** None of these rows can ever be numbered. */
const refuse = (world: FeedFlood, bad: readonly Key[]): void =>
  watchPages(world, (rows) => {
    if (rows.some(({ sk }) => bad.some((each) => each.sk === sk))) throw new EngineUnavailable('refused');
  });

const listNumbered = async ({ deps, flooded }: FeedFlood): Promise<string[]> =>
  (await readAllFeedRows(deps.store, flooded)).map(({ id }) => id);

const listQuarantined = ({ log }: FeedFlood): unknown[] =>
  log.flatMap(({ code, fields }) => (code === 'outbox_row_unreadable' ? [fields] : []));

test('while the whole feed fails, no row is numbered alone, although the others of its page have their numbers', async () => {
  const world = openFeedFlood();
  const { deps, flooded } = world;
  const numbered = await world.commitUnannounced(flooded, 3);
  await world.announce(flooded, numbered);
  await passSeconds(world, 10, 0);
  expect(await world.countLeft(flooded)).toBe(0);
  await world.fail('pages');
  await world.announce(flooded, [...(await world.commitUnannounced(flooded, 1)), ...numbered]);
  for (let minute = 0; minute < 10; minute++) {
    await passQuietMinutes(world, 1);
    const chunks = await parkedRows(deps.store).listFirst(flooded, 100);
    expect(chunks.filter(({ isAlone }) => isAlone)).toEqual([]);
  }
  expect((await parkedRows(deps.store).findHold(flooded))?.failures).toBeGreaterThan(5);
  await world.recover();
  await passQuietMinutes(world, 2);
  expect(await world.countLeft(flooded)).toBe(0);
});

test('a row that fails once right after another was quarantined is not quarantined', async () => {
  const world = openFeedFlood();
  const { bad, userId } = await commitFirstRefused(world);
  const next = await commitOf(world, [userId, ...newUserIds(world, 10)]);
  let failures = 0;
  watchPages(world, (rows) => {
    const has = (key: Key | undefined) => rows.some(({ sk }) => sk === key?.sk);
    if (has(next.rows[0]) && !has(bad[0]) && failures++ === 0) throw new EngineUnavailable('throttled');
  });
  await world.announce(world.flooded, next.rows);
  await passQuietMinutes(world, 15);
  expect(failures).toBeGreaterThan(0);
  expect(listQuarantined(world)).toMatchObject([{ row_keys: bad }]);
  expect((await listNumbered(world)).toSorted()).toEqual(next.ids.toSorted());
});

test('the other events of a user are numbered if all that are parked are of this user and the first one can never be numbered', async () => {
  const world = openFeedFlood();
  const { bad, userId } = await commitFirstRefused(world);
  const { ids, rows } = await commitOf(world, Array(5).fill(userId));
  await world.announce(world.flooded, rows);
  await passQuietMinutes(world, 15);
  expect((await listNumbered(world)).toSorted()).toEqual(ids.toSorted());
  expect(listQuarantined(world)).toMatchObject([{ row_keys: bad }]);
});

test('events of each user keep their order while an event of another one can never be numbered', async () => {
  const world = openFeedFlood();
  const { bad } = await commitFirstRefused(world);
  const [one = '', other = ''] = newUserIds(world, 2);
  const ofOne = await commitOf(world, Array(20).fill(one));
  const ofOther = await commitOf(world, Array(5).fill(other));
  await world.announce(world.flooded, [...ofOne.rows, ...ofOther.rows]);
  await passQuietMinutes(world, 15);
  const numbered = await listNumbered(world);
  for (const { ids } of [ofOne, ofOther]) expect(numbered.filter((id) => ids.includes(id))).toEqual(ids);
  expect(listQuarantined(world)).toMatchObject([{ row_keys: bad }]);
});

test('while the whole feed fails, an attempt tries at most four pages, however many users wait', async () => {
  const world = openFeedFlood();
  await world.fail('pages');
  let pages = 0;
  watchPages(world, () => void pages++);
  await world.passSecond({ flood: 40 });
  await passQuietMinutes(world, 1);
  for (let minute = 0; minute < 10; minute++) {
    pages = 0;
    await passQuietMinutes(world, 1);
    expect(pages).toBeGreaterThan(0);
    expect(pages).toBeLessThanOrEqual(4);
  }
});

test('of the rows of a message whose quarantine is over, ten are tried alone, and the sweep names the others again', async () => {
  const world = openFeedFlood();
  const { deps, clock, flooded } = world;
  const rows = await world.commitUnannounced(flooded, 15);
  for (const row of rows) await outboxRows(deps.store).quarantine(flooded, row, clock.now());
  await passSeconds(world, 3_601, 0);
  const tried: (readonly Key[])[] = [];
  watchPages(world, (page) => void tried.push(page));
  await world.announce(flooded, rows);
  await world.passSecond({ sweeps: false });
  expect(tried).toEqual(rows.slice(0, 10).map(({ pk, sk }) => [{ pk, sk }]));
  expect(await world.countLeft(flooded)).toBe(5);
  await passQuietMinutes(world, 5);
  expect(await world.countLeft(flooded)).toBe(0);
});

test.each([
  [1, 1],
  [3, 3],
])('rows that can never be numbered (%i) do not hold the many rows of other users (%i)', async (bad, users) => {
  const world = openFeedFlood();
  await world.commitRefused({ bad });
  const userIds = newUserIds(world, users);
  const { ids, rows } = await commitOf(
    world,
    oneTo(20).map((at) => userIds[at % users] ?? ''),
  );
  await world.announce(world.flooded, rows);
  await passQuietMinutes(world, 30);
  expect((await listNumbered(world)).toSorted()).toEqual(ids.toSorted());
  expect(listQuarantined(world)).toHaveLength(bad);
});

test('an event before the only other one, which can never be numbered, is numbered', async () => {
  const world = openFeedFlood();
  const { ids, rows } = await commitOf(world, newUserIds(world, 2));
  refuse(world, rows.slice(1));
  await world.announce(world.flooded, rows);
  await passQuietMinutes(world, 15);
  expect(await listNumbered(world)).toEqual(ids.slice(0, 1));
});

test('the later events of the only user are numbered if the first two can never be', async () => {
  const world = openFeedFlood();
  const [user = ''] = newUserIds(world, 1);
  const { ids, rows } = await commitOf(world, Array(6).fill(user));
  refuse(world, rows.slice(0, 2));
  await world.announce(world.flooded, rows);
  await passQuietMinutes(world, 30);
  expect((await listNumbered(world)).toSorted()).toEqual(ids.slice(2).toSorted());
  expect(listQuarantined(world)).toHaveLength(2);
});

test('events that follow one that ends the process are numbered, also if a message names it again', async () => {
  const world = openFeedFlood();
  const bad = await world.commitRefused({ by: 'dies' });
  const [userId = ''] = Object.keys((await world.compareOrder(world.flooded)).committed);
  await passQuietMinutes(world, 20);
  const { ids, rows } = await commitOf(world, Array(2).fill(userId));
  await world.announce(world.flooded, [...bad, ...rows]);
  await passQuietMinutes(world, 60);
  expect((await listNumbered(world)).toSorted()).toEqual(ids.toSorted());
  expect(listQuarantined(world).length).toBeGreaterThan(0);
});

test('no later event of a user is numbered before the first one is found to be at fault', async () => {
  const world = openFeedFlood();
  const [one = '', other = ''] = newUserIds(world, 2);
  const { ids, rows } = await commitOf(world, [one, one, one, other, other]);
  refuse(world, rows.slice(0, 1));
  await world.announce(world.flooded, rows);
  for (let second = 0; second < 900 && listQuarantined(world).length === 0; second++) {
    expect(await listNumbered(world)).not.toContain(ids[1]);
    await passSeconds(world, 1, 0);
  }
  expect(listQuarantined(world)).toHaveLength(1);
});
