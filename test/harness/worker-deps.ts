// The domain over a table of its own, with a queue that only remembers: a test decides when, in which order and how often workers run.

import { makeDeps } from '../../functions/runtime/deps.ts';
import type { TablePlace } from '../../infra/local/local-table.ts';
import { createAccount } from '../../shared/accounts/accounts.ts';
import { MobileScope } from '../../shared/catalog/mobile-scopes.ts';
import type { SdkProviderId } from '../../shared/catalog/provider.ts';
import { acceptUpload } from '../../shared/mobile/accept-upload.ts';
import type { Meter, Table } from '../../shared/platform/ports.ts';
import { UploadBody } from '../../shared/providers/phone/upload.ts';
import type { Caller } from '../../shared/system/caller.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { createUser } from '../../shared/users/users.ts';
import { startTable } from '../unit/system/engines.ts';
import { type TestClock, testClock } from './clock.ts';
import { memoryTable } from './memory-table.ts';
import { type Announced, waitingEvents } from './outbox.ts';
import { openSdkSession } from './sdk-session.ts';

export interface Workshop extends TableWorkshop {
  place: TablePlace;
}

/** What can be done over any table. */
export interface TableWorkshop {
  place: Pick<TablePlace, 'table'>;
  clock: TestClock;
  deps: Deps;
  caller: Caller;
  /** The same domain over a table of one's own making, for faults. */
  over(table: Table): Deps;
  sent: { queue: string; body: unknown }[];
  user(body?: object): Promise<string>;
  upload(user: string, provider: SdkProviderId, body: object): Promise<void>;
  /** Every event waiting to be published, oldest first. */
  events(): Promise<Announced[]>;
}

export async function openWorkshop(meter?: Meter): Promise<Workshop> {
  const place = await startTable(undefined, meter);
  return { ...(await workshopIn(place)), place };
}

/** For work of many calls that is not about what an engine does. */
export const openWorkshopInMemory = (): Promise<TableWorkshop> => workshopIn({ table: memoryTable() });

async function workshopIn(place: TableWorkshop['place']): Promise<TableWorkshop> {
  const clock = testClock();
  const sent: Workshop['sent'] = [];
  const over = (table: Table): Deps =>
    makeDeps({
      table,
      queue: {
        send: async (queue, body) => void sent.push({ queue, body }),
        sendAll: async (queue, bodies) => void sent.push(...bodies.map((body) => ({ queue, body }))),
        postpone: async () => {},
      },
      bus: { publish: async () => {} },
      rootSecret: 'a root secret of more than 32 characters',
      clock,
      log: () => {},
      place: { kind: 'local' },
    });
  const deps = over(place.table);
  const { account_id } = await createAccount(deps, { name: 'a test' });
  const caller: Caller = { kind: 'api_key', account: account_id, env: 'live', form: 2 };
  return {
    place,
    clock,
    deps,
    caller,
    over,
    sent,
    async user(body = {}) {
      return (await createUser(deps, caller, body)).id;
    },
    async upload(user, provider, body) {
      const scopes = MobileScope.options;
      const session = { kind: 'sdk_session', account: account_id, env: 'live', form: 2, userId: user } as const;
      const sessionId = await openSdkSession(deps, { id: user, account: account_id, env: 'live' }, provider);
      const told = await acceptUpload(
        deps,
        { ...session, sessionId, provider, scopes, sharingEpoch: 0 },
        UploadBody.parse(body),
      );
      if (told.rejected.length > 0) throw new Error(`rejected: ${JSON.stringify(told.rejected)}`);
    },
    async events() {
      const events = await waitingEvents(deps.store);
      return events.sort((a, b) => (a.id < b.id ? -1 : 1));
    },
  };
}
