// A list that the API serves in pages: the first page is read again while it is shown, further pages
// are read on request, and what new items push off the first page stays in the list.
import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { toError } from '../api/failures.ts';

export interface ListPage<Item> {
  data: Item[];
  next_cursor: string | null;
}

interface FirstPage<Item> {
  readonly data: ReadonlySignal<ListPage<Item> | undefined>;
  reload(): Promise<void>;
}

export interface PagedList<Item> {
  /** Every item that was read, in the order of the API. */
  list(): readonly Item[];
  hasMore(): boolean;
  loadMore(): Promise<void>;
  /** Reads the first page again, and forgets the pages after it. */
  reload(): Promise<void>;
  readonly isLoading: Signal<boolean>;
  /** Why the last further page could not be read. */
  readonly failure: Signal<Error | undefined>;
  /** Follows the first page until the returned function is called. */
  follow(): () => void;
}

/** `load` gets the cursor of the page to read. */
export function createPagedList<Item extends { id: string }>(
  first: FirstPage<Item>,
  load: (cursor: string) => Promise<ListPage<Item>>,
): PagedList<Item> {
  const further = signal<readonly Item[]>([]);
  /** Undefined until a page after the first has been read. */
  const cursor = signal<string | null | undefined>(undefined);
  const failure = signal<Error | undefined>(undefined);
  const isLoading = signal(false);
  let previous: readonly Item[] = [];
  /** Increases whenever the further pages are forgotten, so that one that arrives late is left out. */
  let generation = 0;

  const forgetFurther = (): void => {
    generation += 1;
    further.value = [];
    cursor.value = undefined;
  };

  const follow = (): (() => void) =>
    effect(() => {
      const page = first.data.value;
      if (!page) return;
      const before = previous;
      previous = page.data;
      if (cursor.peek() === undefined && !isLoading.peek()) return;
      const isShared = ({ id }: Item): boolean => page.data.some((item) => item.id === id);
      const lastShared = before.findLastIndex(isShared);
      // More than a page is new, so what was read before no longer follows the first page.
      if (before.length > 0 && lastShared < 0) forgetFurther();
      else if (isPushedOff(page, before)) further.value = [...before.slice(lastShared + 1), ...further.peek()];
    });

  const findCursor = (): string | null =>
    (cursor.value === undefined ? first.data.value?.next_cursor : cursor.value) ?? null;

  return {
    isLoading,
    failure,
    follow,
    list() {
      const items = [...(first.data.value?.data ?? []), ...further.value];
      return [...new Map(items.toReversed().map((item) => [item.id, item])).values()].toReversed();
    },
    hasMore: () => findCursor() !== null,
    async loadMore() {
      const from = findCursor();
      if (from === null || isLoading.value) return;
      const begun = generation;
      isLoading.value = true;
      failure.value = undefined;
      try {
        const page = await load(from);
        if (begun !== generation) return;
        further.value = [...further.value, ...page.data];
        cursor.value = page.next_cursor;
      } catch (error) {
        failure.value = toError(error);
      } finally {
        isLoading.value = false;
      }
    },
    async reload() {
      forgetFurther();
      await first.reload();
    },
  };
}

/**
 * New items push the last ones off the page, which then ends with an item that was on it before. If
 * it ends with another one, or is the last page, the missing items are gone.
 */
const isPushedOff = <Item extends { id: string }>(page: ListPage<Item>, before: readonly Item[]): boolean =>
  page.next_cursor !== null && before.some(({ id }) => id === page.data.at(-1)?.id);
