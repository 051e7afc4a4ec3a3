import { functions, queues } from './fixtures/map.ts';
import { tryPrivileges } from './privileges.ts';

tryPrivileges('a map of every trigger', { functions, queues });
