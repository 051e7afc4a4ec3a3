import { functions as realFunctions, queues as realQueues } from '../../../infra/functions.ts';
import { functions, queues } from './fixtures/manifest.ts';
import { testPrivileges } from './privileges.ts';

testPrivileges('the map', { functions: realFunctions, queues: realQueues });
testPrivileges('a map of every trigger', { functions, queues });
