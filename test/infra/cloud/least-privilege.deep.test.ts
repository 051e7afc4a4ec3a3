import { functions as realFunctions, queues as realQueues } from '../../../infra/functions.ts';
import { functions, queues } from './fixtures/manifest.ts';
import { testPrivileges } from './privileges.ts';

testPrivileges('the manifest', { functions: realFunctions, queues: realQueues });
testPrivileges('a manifest with every trigger', { functions, queues });
