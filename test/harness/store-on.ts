import { systemClock } from '../../functions/runtime/deps.ts';
import type { Clock, Table } from '../../shared/platform/ports.ts';
import { openStore, type Store } from '../../shared/system/store.ts';

/** A store on a table alone, for tests of one repository. */
export const storeOn = (table: Table, clock: Clock = systemClock): Store => openStore(table, clock);
