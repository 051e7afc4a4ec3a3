// One table engine of each kind for all test files of a worker, because starting one takes longer
// than most tests.
import {
  findDynoxide,
  startTableEngine,
  type TableEngine,
  type TableEngineKind,
} from '../../infra/local/engines/table-engine.ts';
import { onWorkerExit } from './on-worker-exit.ts';
import { once } from './once.ts';

/** The engine that a host on this machine uses. */
export const defaultEngine = (): TableEngineKind => (findDynoxide(process.env) ? 'dynoxide' : 'dynamodb-local');

const engines = {
  dynoxide: once(() => start('dynoxide')),
  'dynamodb-local': once(() => start('dynamodb-local')),
} as const satisfies Record<TableEngineKind, unknown>;

export const sharedEngine = (kind: TableEngineKind = defaultEngine()): Promise<TableEngine> => engines[kind]();

async function start(kind: TableEngineKind): Promise<TableEngine> {
  const engine = await startTableEngine({ dataDir: 'memory', kind, env: { PATH: process.env['PATH'] } });
  onWorkerExit(() => engine.stop());
  return engine;
}
