// The entry of `npm start`: the whole of Daybook on this machine, until Ctrl-C.
import { loadBuiltFunctions } from '../build/built-functions.ts';
import { functions, queues } from '../functions.ts';
import { serve } from './serve.ts';

const bundles = await loadBuiltFunctions(() => process.stdout.write('building the functions, as after every change\n'));
await serve({ functions, queues, bundles });
