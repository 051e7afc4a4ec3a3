// Data from the API that a page shows: what was read last stays drawn while it is read again, and
// polling follows the reader: often while they are there, seldom behind other windows or while
// nothing happens, never when hidden.
import { type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { ApiFailure, toError } from '../api/failures.ts';
import { createPollPace, type PollOutcome, type PollPace } from './poll-pace.ts';

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
  /** The shortest pause between two reads; 3 seconds unless named. */
  pauseSeconds?: number;
}

const backgroundMilliseconds = 30_000;

/** Reads when the page opens and whenever the key changes. No key means that nothing is read yet. */
export function useResource<Data>(
  key: string | undefined,
  load: () => Promise<Data>,
  { isLive = false, pauseSeconds }: ResourceOptions = {},
): Resource<Data> {
  // The key says everything that the loader depends on.
  const resource = useMemo(() => createResource(load), [key]);
  useEffect(() => {
    if (key === undefined) return undefined;
    if (!isLive) {
      void resource.reload();
      return undefined;
    }
    const pace = createPollPace(pauseSeconds === undefined ? {} : { pauseSeconds });
    return repeatWhileVisible(() => poll(resource), pace);
  }, [resource, key, isLive, pauseSeconds]);
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

async function poll<Data>({ data, failure, reload }: Resource<Data>): Promise<PollOutcome> {
  const before = data.peek();
  await reload();
  const error = failure.peek();
  const retryAfterSeconds = error instanceof ApiFailure ? error.retryAfterSeconds : undefined;
  return { hasChanged: data.peek() !== before, failure: error && { retryAfterSeconds } };
}

/** Returns a function that ends the repetition. */
function repeatWhileVisible(act: () => Promise<PollOutcome>, pace: PollPace): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let isReading = false;
  const schedule = (pauseMs: number): void => {
    clearTimeout(timer);
    if (isOver || document.visibilityState === 'hidden') return;
    timer = setTimeout(read, document.hasFocus() ? pauseMs : Math.max(pauseMs, backgroundMilliseconds));
  };
  const read = (): void => {
    if (isReading) return;
    clearTimeout(timer);
    isReading = true;
    void act().then((outcome) => {
      isReading = false;
      schedule(pace.pauseAfter(outcome));
    });
  };
  const wake = (): void => {
    const pauseMs = pace.wake();
    if (pauseMs !== undefined && !isReading) schedule(pauseMs);
  };
  const resume = (): void => {
    pace.wake();
    clearTimeout(timer);
    if (document.visibilityState !== 'hidden') timer = setTimeout(read, pace.msUntilAllowed());
  };
  const inputs = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;
  const returns = ['focus', 'online'] as const;
  for (const name of inputs) addEventListener(name, wake, { passive: true });
  for (const name of returns) addEventListener(name, resume);
  document.addEventListener('visibilitychange', resume);
  read();
  return () => {
    isOver = true;
    clearTimeout(timer);
    for (const name of inputs) removeEventListener(name, wake);
    for (const name of returns) removeEventListener(name, resume);
    document.removeEventListener('visibilitychange', resume);
  };
}
