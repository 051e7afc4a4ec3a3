import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import { createPagedList, type ListPage } from '../../../functions/api/console/web/state/paged-list.ts';

interface Item {
  id: string;
}

const pageSize = 3;

/** A list of the API, whose first page is read again by `refresh`. */
function openList(ids: string[]) {
  let stored = ids;
  const pageAfter = (cursor: string | undefined): ListPage<Item> => {
    const from = cursor === undefined ? 0 : stored.indexOf(cursor) + 1;
    const data = stored.slice(from, from + pageSize).map((id) => ({ id }));
    return { data, next_cursor: from + pageSize < stored.length ? (data.at(-1)?.id ?? null) : null };
  };
  const data = signal<ListPage<Item> | undefined>(pageAfter(undefined));
  const refresh = async (): Promise<void> => {
    data.value = pageAfter(undefined);
  };
  let answer: (cursor: string) => Promise<ListPage<Item>> = async (cursor) => pageAfter(cursor);
  const list = createPagedList({ data, reload: refresh }, (cursor) => answer(cursor));
  list.follow();
  return {
    list,
    refresh,
    pageAfter,
    shownIds: () => list.list().map(({ id }) => id),
    store(next: string[]) {
      stored = next;
    },
    answerWith(next: typeof answer) {
      answer = next;
    },
  };
}

test('a row that new items push off the first page stays in the list', async () => {
  const { list, refresh, store, shownIds } = openList(['d', 'c', 'b', 'a']);
  await list.loadMore();
  store(['f', 'e', 'd', 'c', 'b', 'a']);
  await refresh();
  expect(shownIds()).toEqual(['f', 'e', 'd', 'c', 'b', 'a']);
});

test('a row that is pushed off while the next page is being read stays in the list', async () => {
  const { list, refresh, store, shownIds, pageAfter, answerWith } = openList(['d', 'c', 'b', 'a']);
  const next = Promise.withResolvers<ListPage<Item>>();
  answerWith(() => next.promise);
  const loading = list.loadMore();
  store(['e', 'd', 'c', 'b', 'a']);
  await refresh();
  next.resolve(pageAfter('b'));
  await loading;
  expect(shownIds()).toEqual(['e', 'd', 'c', 'b', 'a']);
});

test('a row that is gone leaves the list, also the last one of the first page', async () => {
  const { list, refresh, store, shownIds } = openList(['d', 'c', 'b', 'a']);
  await list.loadMore();
  store(['d', 'c', 'a']);
  await refresh();
  expect(shownIds()).toEqual(['d', 'c', 'a']);
});

test('when more than a page is new, the list begins anew without a gap', async () => {
  const { list, refresh, store, shownIds } = openList(['d', 'c', 'b', 'a']);
  await list.loadMore();
  store(['z', 'y', 'x', 'w', 'd', 'c', 'b', 'a']);
  await refresh();
  expect(shownIds()).toEqual(['z', 'y', 'x']);
  expect(list.hasMore()).toBe(true);
  await list.loadMore();
  expect(shownIds()).toEqual(['z', 'y', 'x', 'w', 'd', 'c']);
});

test('a page that arrives after the list began anew is left out', async () => {
  const { list, refresh, store, shownIds, answerWith } = openList(['d', 'c', 'b', 'a']);
  const next = Promise.withResolvers<ListPage<Item>>();
  answerWith(() => next.promise);
  const loading = list.loadMore();
  store(['z', 'y', 'x', 'w', 'd', 'c', 'b', 'a']);
  await refresh();
  next.resolve({ data: [{ id: 'a' }], next_cursor: null });
  await loading;
  expect(shownIds()).toEqual(['z', 'y', 'x']);
  expect(list.hasMore()).toBe(true);
});

test('a further page that fails says why, and can be read again', async () => {
  const { list, shownIds, pageAfter, answerWith } = openList(['d', 'c', 'b', 'a']);
  answerWith(() => Promise.reject(new Error('busy')));
  await list.loadMore();
  expect(list.failure.value?.message).toBe('busy');
  answerWith(async (cursor) => pageAfter(cursor));
  await list.loadMore();
  expect(list.failure.value).toBeUndefined();
  expect(shownIds()).toEqual(['d', 'c', 'b', 'a']);
  expect(list.hasMore()).toBe(false);
});

test('reading the list again forgets the pages after the first', async () => {
  const { list, shownIds, store } = openList(['d', 'c', 'b', 'a']);
  await list.loadMore();
  store(['d', 'c', 'b']);
  await list.reload();
  expect(shownIds()).toEqual(['d', 'c', 'b']);
});
