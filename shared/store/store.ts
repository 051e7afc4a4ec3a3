// The single table as the domain sees it: one repository per noun, and one way to commit their writes together.
import type { Clock, Table, Write } from '../engine/ports.ts';
import { accountRows } from './accounts.ts';
import { apiKeyRows } from './api-keys.ts';
import { deviceRows } from './devices.ts';
import { erasureRows } from './erasure.ts';
import { eventRows } from './events.ts';
import { mobileTokenRows } from './mobile-tokens.ts';
import { signingKeyRows } from './signing-keys.ts';
import { userRows } from './users.ts';

export function openStore(table: Table, clock: Clock) {
  return {
    accounts: accountRows(table),
    apiKeys: apiKeyRows(table, clock),
    devices: deviceRows(),
    erasure: erasureRows(table),
    events: eventRows(),
    mobileTokens: mobileTokenRows(table),
    signingKeys: signingKeyRows(table),
    users: userRows(table),
    /** All of it or nothing: a change and the event that tells of it go out together. */
    commit: (writes: Write[]): Promise<void> => table.transact(writes),
  };
}
export type Store = ReturnType<typeof openStore>;
