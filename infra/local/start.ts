// The entry of `npm start`: runs all of Daybook on this machine until Ctrl-C.
import { stop as stopBuilder } from 'esbuild';
import { loadBuiltFunctions } from '../build/built-functions.ts';
import { functions, queues } from '../functions.ts';
import { hostRegistry } from './running-hosts.ts';
import { serve } from './serve.ts';

const bundles = await loadBuiltFunctions(() =>
  process.stdout.write('building the functions, because the sources have changed\n'),
);
// Its process would stay, and wake up every second.
await stopBuilder();
await serve({ functions, queues, bundles }, { registry: hostRegistry, hasDemoPerson: true });
