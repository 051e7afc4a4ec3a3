import type { Clock, Table } from '../../shared/engine/ports.ts';
import { systemClock } from '../../shared/runtime/deps.ts';
import { openStore, type Store } from '../../shared/store/store.ts';

/** A store over a table alone, for tests of one repository. */
export const storeOn = (table: Table, clock: Clock = systemClock): Store => openStore(table, clock);
