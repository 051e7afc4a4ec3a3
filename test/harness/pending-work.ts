// Lists the owners with pending work of a kind, and creates pending-work rows without the work
// itself.
import type { Key, Put } from '../../shared/platform/ports.ts';
import { makeId } from '../../shared/system/ids.ts';
import { keys } from '../../shared/system/keys.ts';
import { type PendingKind, pendingIndexKeys } from '../../shared/system/pending-kinds.ts';
import { pendingWorkRows } from '../../shared/system/pending-work-rows.ts';
import type { Store } from '../../shared/system/store.ts';

export async function listPendingOwners(store: Store, kind: PendingKind): Promise<string[]> {
  const found = await pendingWorkRows(store).listBefore(kind, Number.MAX_SAFE_INTEGER, { limit: 100_000 });
  return found.pending.map(({ owner }) => owner);
}

/** The feed pages that are due. */
export const listPendingPages = async (store: Store): Promise<string[]> =>
  (await listPendingOwners(store, 'deliver')).filter((owner) => owner.includes('#'));

const someBytes = () => crypto.getRandomValues(new Uint8Array(10));

const ownerKinds: Partial<Record<PendingKind, 'event' | 'delivery' | 'device' | 'invitation'>> = {
  feed: 'event',
  deliver: 'delivery',
  sync: 'device',
  mail: 'invitation',
};

const someUser = makeId('user', Date.now(), someBytes());
export const someAccount = makeId('account', Date.now(), someBytes());
export const someWebhook = makeId('webhook', Date.now(), someBytes());
/** The owner of a feed's pending work begins with the feed name. */
const someFeed = `${someAccount}#live#`;

/** Creates an owner of pending work of a kind. */
export function someOwner(kind: PendingKind, atMs = Date.now()): string {
  const id = makeId(ownerKinds[kind] ?? 'user', atMs, someBytes());
  return kind === 'feed' ? `${someFeed}${id}` : id;
}

export function pendingKey(kind: PendingKind, owner: string): Key {
  if (kind === 'deliver') return keys.delivery(someWebhook, owner);
  if (kind === 'sync') return keys.connection(someUser, owner);
  if (kind === 'mail') return keys.invitation(someAccount, 'live', owner);
  return { pk: `OWED#${owner}`, sk: kind };
}

export const pendingRow = (kind: PendingKind, owner: string, sinceMs: number): Put => ({
  kind: 'put',
  item: { ...pendingKey(kind, owner), ...pendingIndexKeys(kind, owner, sinceMs) },
});
