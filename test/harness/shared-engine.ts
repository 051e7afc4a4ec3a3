// One table engine of each kind for all the test files of a process: to start one takes longer than most tests.
import {
  findDynoxide,
  startTableEngine,
  type TableEngine,
  type TableEngineKind,
} from '../../infra/local/engines/table-engine.ts';

/** The one that a host on this machine uses. */
export const firstEngine = (): TableEngineKind => (findDynoxide(process.env) ? 'dynoxide' : 'dynamodb-local');

const running = new Map<TableEngineKind, Promise<TableEngine>>();

export function sharedEngine(kind: TableEngineKind = firstEngine()): Promise<TableEngine> {
  const known = running.get(kind);
  if (known) return known;
  const started = start(kind);
  running.set(kind, started);
  return started;
}

async function start(kind: TableEngineKind): Promise<TableEngine> {
  const engine = await startTableEngine({ dataDir: 'memory', kind, env: { PATH: process.env['PATH'] } });
  // The engine is killed when this process is gone; only an engine that is stopped removes its folder. Vitest ends its
  // workers by SIGTERM, a terminal by SIGINT, and a worker whose parent was killed hears that it is disconnected.
  const end = (signal: NodeJS.Signals) => void engine.stop().finally(() => process.kill(process.pid, signal));
  process.once('SIGTERM', end).once('SIGINT', end);
  process.once('disconnect', () => end('SIGTERM'));
  return engine;
}
