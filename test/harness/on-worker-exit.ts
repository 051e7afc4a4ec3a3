// Stops what the test files of a worker share when the worker ends, because an engine's files would
// otherwise remain. Vitest ends its workers with SIGTERM, a terminal with SIGINT, and a worker
// whose parent was killed is disconnected.
const stopCallbacks: (() => Promise<void>)[] = [];

export function onWorkerExit(stop: () => Promise<void>): void {
  stopCallbacks.push(stop);
  if (stopCallbacks.length > 1) return;
  const end = () => void Promise.allSettled(stopCallbacks.map((each) => each())).finally(() => process.exit());
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end);
  process.once('disconnect', end);
}
