// Who is owed work of a kind, however short a time; and rows that say so, without the work.
import type { Key, Put } from '../../shared/platform/ports.ts';
import { type DueKind, due } from '../../shared/system/due.ts';
import { makeId } from '../../shared/system/ids.ts';
import { keys } from '../../shared/system/keys.ts';
import { owedRows } from '../../shared/system/owed-rows.ts';
import type { Store } from '../../shared/system/store.ts';

export async function owedTo(store: Store, kind: DueKind): Promise<string[]> {
  const found = await owedRows(store).before(kind, Number.MAX_SAFE_INTEGER, { atMost: 100_000 });
  return found.owed.map(({ owner }) => owner);
}

/** The pages of feeds that are due. */
export const owedPages = async (store: Store): Promise<string[]> =>
  (await owedTo(store, 'deliver')).filter((owner) => owner.includes('#'));

const someBytes = () => crypto.getRandomValues(new Uint8Array(10));

const ownerKinds: Partial<Record<DueKind, 'event' | 'delivery' | 'device' | 'invitation'>> = {
  feed: 'event',
  deliver: 'delivery',
  sync: 'device',
  mail: 'invitation',
};

const someUser = makeId('user', Date.now(), someBytes());
export const someAccount = makeId('account', Date.now(), someBytes());
export const someWebhook = makeId('webhook', Date.now(), someBytes());
/** The owner of what a feed is owed begins with the feed. */
const someFeed = `${someAccount}#live#`;

/** Whoever a kind is owed to. */
export function someOwner(kind: DueKind, atMs = Date.now()): string {
  const id = makeId(ownerKinds[kind] ?? 'user', atMs, someBytes());
  return kind === 'feed' ? `${someFeed}${id}` : id;
}

export function owedKey(kind: DueKind, owner: string): Key {
  if (kind === 'deliver') return keys.delivery(someWebhook, owner);
  if (kind === 'sync') return keys.connection(someUser, owner);
  if (kind === 'mail') return keys.invitation(someAccount, 'live', owner);
  return { pk: `OWED#${owner}`, sk: kind };
}

export const owing = (kind: DueKind, owner: string, sinceMs: number): Put => ({
  kind: 'put',
  item: { ...owedKey(kind, owner), ...due(kind, owner, sinceMs) },
});
