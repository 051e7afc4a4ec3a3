// Who is owed work of a kind, however short a time; and rows that say so, without the work.
import type { Put } from '../../shared/engine/ports.ts';
import { makeId } from '../../shared/model/ids.ts';
import { type DueKind, due } from '../../shared/store/due.ts';
import { keys } from '../../shared/store/keys.ts';
import { owedRows } from '../../shared/store/owed.ts';
import type { Store } from '../../shared/store/store.ts';

export async function owedTo(store: Store, kind: DueKind): Promise<string[]> {
  const found = await owedRows(store).before(kind, Number.MAX_SAFE_INTEGER, { atMost: 100_000 });
  return found.owed.map(({ owner }) => owner);
}

const someBytes = () => crypto.getRandomValues(new Uint8Array(10));

const ownerKinds: Partial<Record<DueKind, 'event' | 'delivery' | 'device' | 'invitation'>> = {
  publish: 'event',
  deliver: 'delivery',
  sync: 'device',
  mail: 'invitation',
};

/** Whoever a kind is owed to. */
export const someOwner = (kind: DueKind, atMs = Date.now()): string =>
  makeId(ownerKinds[kind] ?? 'user', atMs, someBytes());

const someUser = makeId('user', Date.now(), someBytes());
export const someAccount = makeId('account', Date.now(), someBytes());
export const someWebhook = makeId('webhook', Date.now(), someBytes());

export function owing(kind: DueKind, owner: string, sinceMs: number): Put {
  const key =
    kind === 'deliver'
      ? keys.delivery(someWebhook, owner)
      : kind === 'sync'
        ? keys.connection(someUser, owner)
        : kind === 'mail'
          ? keys.invitation(someAccount, 'live', owner)
          : { pk: `OWED#${owner}`, sk: kind };
  return { kind: 'put', item: { ...key, ...due(kind, owner, sinceMs) } };
}
