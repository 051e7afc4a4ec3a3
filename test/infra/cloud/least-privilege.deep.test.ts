import { functions as realFunctions, queues as realQueues } from '../../../infra/functions.ts';
import { functions, queues } from './fixtures/map.ts';
import { tryPrivileges } from './privileges.ts';

tryPrivileges('the map', { functions: realFunctions, queues: realQueues });
tryPrivileges('a map of every trigger', { functions, queues });
