// What the files of a worker share ends with it, however it ends: an engine's files would stay. Vitest
// ends its workers by SIGTERM, a terminal by SIGINT, and a worker whose parent was killed hears that it
// is disconnected.
const stopCallbacks: (() => Promise<void>)[] = [];

export function onWorkerExit(stop: () => Promise<void>): void {
  stopCallbacks.push(stop);
  if (stopCallbacks.length > 1) return;
  const end = () => void Promise.allSettled(stopCallbacks.map((each) => each())).finally(() => process.exit());
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end);
  process.once('disconnect', end);
}
