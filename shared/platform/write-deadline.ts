// How long whoever began before a change may still be writing: what must outlast them waits for that long.

/**
 * No function runs longer than a minute, and none begins a write after it (`runtime/life.ts`); a write that was begun is over half a minute
 * later, because the client tries four times of five seconds.
 */
export const workerWriteDeadlineMs = 90_000;
