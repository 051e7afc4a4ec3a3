// The entry of `npm start`: the whole of Daybook on this machine, until Ctrl-C.
import { functions, queues } from '../functions.ts';
import { serve } from './serve.ts';

await serve({ functions, queues });
