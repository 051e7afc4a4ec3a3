// The domain on its own table, with a queue that only records messages. A test decides when, in
// which order and how often workers run.

import { makeDeps, systemRandom } from '../../functions/runtime/deps.ts';
import type { LocalTable } from '../../infra/local/local-table.ts';
import { createAccount } from '../../shared/accounts/accounts.ts';
import { MobileScope } from '../../shared/catalog/mobile-scopes.ts';
import type { SdkProviderId } from '../../shared/catalog/provider.ts';
import { acceptUpload } from '../../shared/mobile/accept-upload.ts';
import type { Meter, Random, Table } from '../../shared/platform/ports.ts';
import { UploadBody } from '../../shared/providers/phone/upload.ts';
import type { Caller } from '../../shared/system/caller.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { createUser } from '../../shared/users/users.ts';
import { startTable } from '../unit/system/engines.ts';
import { type TestClock, testClock } from './clock.ts';
import { memoryTable } from './memory-table.ts';
import { listPendingEvents, type PublishedEvent } from './outbox.ts';
import { openSdkSession } from './sdk-session.ts';

export interface EngineDomainWorld extends DomainWorld {
  localTable: LocalTable;
}

/** What works with any table. */
export interface DomainWorld {
  localTable: Pick<LocalTable, 'table'>;
  clock: TestClock;
  deps: Deps;
  caller: Caller;
  /** The same domain on another table, for fault injection. */
  withTable(table: Table): Deps;
  sent: { queue: string; body: unknown }[];
  user(body?: object): Promise<string>;
  upload(user: string, provider: SdkProviderId, body: object): Promise<void>;
  /** Every event waiting to be published, oldest first. */
  events(): Promise<PublishedEvent[]>;
}

export async function openEngineDomainWorld(meter?: Meter): Promise<EngineDomainWorld> {
  const localTable = await startTable(undefined, meter);
  return { ...(await createDomainWorld(localTable)), localTable };
}

/** For tests with many calls that do not depend on the behavior of a real engine. */
export const openDomainWorld = (fixed?: FixedInputs): Promise<DomainWorld> =>
  createDomainWorld({ table: memoryTable() }, fixed);

/** What a test sets whose figures must be the same in every run. */
interface FixedInputs {
  clock: TestClock;
  random: Random;
}

async function createDomainWorld(
  localTable: DomainWorld['localTable'],
  { clock, random }: FixedInputs = { clock: testClock(), random: systemRandom },
): Promise<DomainWorld> {
  const sent: EngineDomainWorld['sent'] = [];
  const withTable = (table: Table): Deps =>
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
      random,
      log: () => {},
      deployment: { kind: 'local' },
    });
  const deps = withTable(localTable.table);
  const { account_id } = await createAccount(deps, { name: 'a test' });
  const caller: Caller = { kind: 'api_key', account: account_id, env: 'live', form: 2 };
  return {
    localTable,
    clock,
    deps,
    caller,
    withTable,
    sent,
    async user(body = {}) {
      return (await createUser(deps, caller, body)).id;
    },
    async upload(user, provider, body) {
      const scopes = MobileScope.options;
      const session = { kind: 'sdk_session', account: account_id, env: 'live', form: 2, userId: user } as const;
      const sessionId = await openSdkSession(deps, { id: user, account: account_id, env: 'live' }, provider);
      const response = await acceptUpload(
        deps,
        { ...session, sessionId, provider, scopes, sharingEpoch: 0 },
        UploadBody.parse(body),
      );
      if (response.rejected.length > 0) throw new Error(`rejected: ${JSON.stringify(response.rejected)}`);
    },
    async events() {
      const events = await listPendingEvents(deps.store);
      return events.sort((a, b) => (a.id < b.id ? -1 : 1));
    },
  };
}
