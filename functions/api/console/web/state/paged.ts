// A list that the API returns in pages: the first page is read again like every resource, and more
// of them are added below.
import { type Signal, signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { type Resource, type ResourceOptions, useResource } from './resource.ts';

interface ListPage<Row> {
  data: Row[];
  next_cursor: string | null;
}

export interface Paged<Row> {
  readonly first: Resource<ListPage<Row>>;
  readonly failure: Signal<Error | undefined>;
  readonly isLoading: Signal<boolean>;
  listRows(): readonly Row[];
  hasMore(): boolean;
  loadMore(): Promise<void>;
  reload(): Promise<void>;
}

/** `load` gets the cursor of the page to read; undefined is the first page. */
export function usePaged<Row extends { id: string }>(
  key: string,
  load: (cursor: string | undefined) => Promise<ListPage<Row>>,
  options: ResourceOptions = {},
): Paged<Row> {
  const first = useResource(key, () => load(undefined), options);
  return useMemo(() => createPaged(first, load), [first]);
}

function createPaged<Row extends { id: string }>(
  first: Resource<ListPage<Row>>,
  load: (cursor: string) => Promise<ListPage<Row>>,
): Paged<Row> {
  const more = signal<readonly Row[]>([]);
  /** Undefined until a page after the first was read. */
  const cursor = signal<string | null | undefined>(undefined);
  const failure = signal<Error | undefined>(undefined);
  const isLoading = signal(false);
  const findCursor = (): string | null =>
    (cursor.value === undefined ? first.data.value?.next_cursor : cursor.value) ?? null;

  const loadMore = async (): Promise<void> => {
    const from = findCursor();
    if (from === null || isLoading.value) return;
    isLoading.value = true;
    failure.value = undefined;
    try {
      const page = await load(from);
      more.value = [...more.value, ...page.data];
      cursor.value = page.next_cursor;
    } catch (error) {
      failure.value = error instanceof Error ? error : new Error(String(error));
    } finally {
      isLoading.value = false;
    }
  };

  return {
    first,
    failure,
    isLoading,
    /** What is new pushes rows from the first page into the second, where they already are. */
    listRows() {
      const rows = first.data.value?.data ?? [];
      const ids = new Set(rows.map(({ id }) => id));
      return [...rows, ...more.value.filter(({ id }) => !ids.has(id))];
    },
    hasMore: () => findCursor() !== null,
    loadMore,
    async reload() {
      more.value = [];
      cursor.value = undefined;
      await first.reload();
    },
  };
}
