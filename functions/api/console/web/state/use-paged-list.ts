// The hook of a list that the API serves in pages.
import { useEffect, useMemo } from 'preact/hooks';
import { createPagedList, type ListPage, type PagedList } from './paged-list.ts';
import { type Resource, type ResourceOptions, useResource } from './resource.ts';

export interface ShownList<Item> extends PagedList<Item> {
  readonly first: Resource<ListPage<Item>>;
}

/** `load` gets the cursor of the page to read; undefined is the first page. */
export function usePagedList<Item extends { id: string }>(
  key: string,
  load: (cursor: string | undefined) => Promise<ListPage<Item>>,
  options: ResourceOptions = {},
): ShownList<Item> {
  const first = useResource(key, () => load(undefined), options);
  const list = useMemo(() => ({ ...createPagedList(first, load), first }), [first]);
  useEffect(list.follow, [list]);
  return list;
}
