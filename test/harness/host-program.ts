// The program that tests start and kill: what `npm start` runs, without the fictional person, whose
// week of data takes longer to feed than most of these tests run.
import module from 'node:module';
import { loadBuiltFunctions } from '../../infra/build/built-functions.ts';
import { functions, queues } from '../../infra/functions.ts';
import { serve } from '../../infra/local/serve.ts';

// A process that is killed does not write what it has compiled, which the next one needs.
module.flushCompileCache();
await serve({ functions, queues, bundles: await loadBuiltFunctions() });
