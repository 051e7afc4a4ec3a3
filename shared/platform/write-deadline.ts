// How long a worker that started before a change may still write. What must outlast such writes
// waits this long.

/**
 * No function runs longer than a minute, and none starts a write after that
 * (`functions/runtime/run-deadline.ts`). A write that has started ends within half a minute,
 * because the client makes four attempts of five seconds.
 */
export const workerWriteDeadlineMs = 90_000;
