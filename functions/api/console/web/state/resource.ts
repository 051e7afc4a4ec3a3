// Data from the API that a page shows: what was read last stays drawn while it is read again, and
// polling follows the window: often while it is visible, seldom behind others, never when hidden.
import { type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { toError } from '../api/failures.ts';

export interface Resource<Data> {
  readonly data: Signal<Data | undefined>;
  /** Why the last attempt failed. The data of an earlier one may still be there. */
  readonly failure: Signal<Error | undefined>;
  readonly isLoading: Signal<boolean>;
  /** When the data was read, in milliseconds. */
  readonly loadedAt: Signal<number | undefined>;
  reload(): Promise<void>;
}

export interface ResourceOptions {
  /** Reads again while the page is open. */
  isLive?: boolean;
}

const liveMilliseconds = { focused: 3_000, background: 30_000 } as const;

/** Reads when the page opens and whenever the key changes. No key means that nothing is read yet. */
export function useResource<Data>(
  key: string | undefined,
  load: () => Promise<Data>,
  { isLive = false }: ResourceOptions = {},
): Resource<Data> {
  // The key says everything that the loader depends on.
  const resource = useMemo(() => createResource(load), [key]);
  useEffect(() => {
    if (key === undefined) return undefined;
    void resource.reload();
    return isLive ? repeatWhileVisible(resource.reload) : undefined;
  }, [resource, key, isLive]);
  return resource;
}

export function createResource<Data>(load: () => Promise<Data>): Resource<Data> {
  const data = signal<Data | undefined>(undefined);
  const failure = signal<Error | undefined>(undefined);
  const isLoading = signal(true);
  const loadedAt = signal<number | undefined>(undefined);
  let running: Promise<void> | undefined;
  let lastText = '';
  const run = async (): Promise<void> => {
    isLoading.value = true;
    try {
      const loaded = await load();
      const text = JSON.stringify(loaded) ?? '';
      // What is drawn keeps its identity while nothing has changed.
      if (text !== lastText || data.peek() === undefined) data.value = loaded;
      lastText = text;
      failure.value = undefined;
      loadedAt.value = Date.now();
    } catch (error) {
      failure.value = toError(error);
    } finally {
      isLoading.value = false;
      running = undefined;
    }
  };
  const reload = (): Promise<void> => {
    running ??= run();
    return running;
  };
  return { data, failure, isLoading, loadedAt, reload };
}

/** Returns a function that ends the repetition. */
export function repeatWhileVisible(act: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const schedule = (): void => {
    clearTimeout(timer);
    if (isOver || document.visibilityState === 'hidden') return;
    const pause = document.hasFocus() ? liveMilliseconds.focused : liveMilliseconds.background;
    timer = setTimeout(() => void act().finally(schedule), pause);
  };
  const resume = (): void => {
    if (document.visibilityState === 'visible') void act().finally(schedule);
    else schedule();
  };
  const listeners = ['focus', 'blur'] as const;
  for (const name of listeners) addEventListener(name, schedule);
  document.addEventListener('visibilitychange', resume);
  addEventListener('online', resume);
  schedule();
  return () => {
    isOver = true;
    clearTimeout(timer);
    for (const name of listeners) removeEventListener(name, schedule);
    document.removeEventListener('visibilitychange', resume);
    removeEventListener('online', resume);
  };
}
