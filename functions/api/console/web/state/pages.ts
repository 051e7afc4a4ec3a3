// A list that the API serves in pages: the first page is read again while it is shown, older pages
// are read on request, and what new items push off the first page stays in the list.
import { effect, type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type Resource, type ResourceOptions, useResource } from './resource.ts';

interface ListPage<Item> {
  data: Item[];
  next_cursor: string | null;
}

export interface Pages<Item> {
  first: Resource<ListPage<Item>>;
  /** Every item that was read, in the order of the API. */
  list: () => readonly Item[];
  hasOlder: () => boolean;
  readOlder: () => void;
  isReading: Signal<boolean>;
  failure: Signal<Error | undefined>;
}

export function usePages<Item extends { id: string }>(
  key: string,
  load: (cursor: string | undefined) => Promise<ListPage<Item>>,
  options: Omit<ResourceOptions, 'isLive'> = {},
): Pages<Item> {
  const first = useResource(key, () => load(undefined), { isLive: true, ...options });
  const { follow, ...pages } = useMemo(() => createPages(first, load), [first]);
  useEffect(follow, [first]);
  return pages;
}

function createPages<Item extends { id: string }>(
  first: Resource<ListPage<Item>>,
  load: (cursor: string | undefined) => Promise<ListPage<Item>>,
): Pages<Item> & { follow: () => () => void } {
  const older = signal<readonly Item[]>([]);
  /** Undefined until an older page has been read. */
  const cursor = signal<string | null | undefined>(undefined);
  const failure = signal<Error | undefined>(undefined);
  const isReading = signal(false);
  let previous: readonly Item[] = [];

  const follow = (): (() => void) =>
    effect(() => {
      const page = first.data.value;
      if (!page) return;
      const lastShared = previous.findLastIndex(({ id }) => page.data.some((item) => item.id === id));
      const pushedOff = previous.slice(lastShared + 1);
      const isConnected = previous.length === 0 || lastShared >= 0;
      previous = page.data;
      if (cursor.peek() === undefined) return;
      if (isConnected) older.value = [...pushedOff, ...older.peek()];
      else {
        // More than a page is new, so what was read before no longer follows the first page.
        older.value = [];
        cursor.value = undefined;
      }
    });

  const nextCursor = (): string | null | undefined =>
    cursor.value === undefined ? first.data.value?.next_cursor : cursor.value;

  const readOlder = (): void => {
    const from = nextCursor();
    if (!from || isReading.value) return;
    isReading.value = true;
    failure.value = undefined;
    load(from)
      .then((page) => {
        older.value = [...older.value, ...page.data];
        cursor.value = page.next_cursor;
      })
      .catch((error: unknown) => {
        failure.value = error instanceof Error ? error : new Error(String(error));
      })
      .finally(() => {
        isReading.value = false;
      });
  };

  const list = (): readonly Item[] => {
    const newest = first.data.value?.data ?? [];
    const ids = new Set(newest.map(({ id }) => id));
    return [...newest, ...older.value.filter(({ id }) => !ids.has(id))];
  };

  return { first, list, hasOlder: () => Boolean(nextCursor()), readOlder, isReading, failure, follow };
}
