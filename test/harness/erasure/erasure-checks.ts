// Checks the whole table after a user was erased, and returns a list of violations.
import type { Item, Key } from '../../../shared/platform/ports.ts';
import { userPartition } from '../../../shared/system/keys.ts';
import { readEvents } from '../outbox.ts';
import { personalData, type World } from './world.ts';

/**
 * Events with opaque ids (in the outbox, the feed and the delivery logs), entries of the audit trail
 * with the same ids, and consents that are being revoked: the data that remains according to the
 * documentation on erasure.
 */
const mayRemain = ({ pk, sk }: Item): boolean =>
  /^(V|F|Y|REVOKE)#/.test(String(pk)) || (String(pk).startsWith('H#') && String(sk).startsWith('DELIVERY#'));

/** Maps the prefix of a sort key to the name that the receipt's documentation uses. */
const receiptKinds = {
  '@DEVICE#': 'devices',
  '!DEVICE#': 'devices',
  'GONE#': 'devices',
  'SDK#': 'sdk_sessions',
  'C#': 'connections',
  'LINK#': 'connect_links',
  'MT#': 'mobile_tokens',
  MEMBER: 'memberships',
  'INVITED#': 'invitations',
  'R#': 'raw_uploads',
  'UP#': 'upload_summaries',
  'T#': 'sample_days',
  'A#': 'open_samples',
  'N#': 'normalized_days',
  'D#': 'canonical_days',
  'Z#': 'sleep_days',
  'W#': 'workout_days',
  'H#': 'heart_rate_traces',
  'S#': 'score_days',
};
const kindOf = ({ sk }: Key): string =>
  Object.entries(receiptKinds).find(([prefix]) => sk.startsWith(prefix))?.[1] ?? 'other';

/**
 * The ids of the user and of everything that belongs only to the user, with and without the id
 * prefix.
 */
export function collectIds(rows: readonly Item[], id: string): string[] {
  const own = rows.filter(({ pk }) => pk === userPartition(id));
  const ids = own.flatMap(({ sk }) => /^(?:@DEVICE#|!DEVICE#|SDK#|MT#)(.+)$/.exec(String(sk))?.[1] ?? []);
  return [id, ...ids].flatMap((name) => [name, name.replace(/^(usr|dev)_/, '')]);
}

/** Searches the rows of the whole table. */
export function findLeftovers(rows: readonly Item[], names: readonly string[]): string[] {
  const personalValues = Object.values(personalData);
  return rows.flatMap((row) => {
    const text = textOf(row);
    const found = (mayRemain(row) ? personalValues : [...names, ...personalValues]).find((name) => text.includes(name));
    return found === undefined ? [] : `${row.pk} ${row.sk} has ${found}`;
  });
}

const textOf = (row: Item): string =>
  JSON.stringify(row, (_name, value) =>
    ArrayBuffer.isView(value) ? Buffer.from(asBytes(value)).toString('latin1') : value,
  );
const asBytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

export interface UserEventSummary {
  type: string;
  id: string;
  erased: Record<string, number>;
}

/** In the order in which they were written. */
export const listUserEvents = ({ table, id }: World): UserEventSummary[] =>
  readEvents(table.rows()).flatMap(({ type, id: event, user, more }) =>
    user === id ? [{ type, id: event, erased: more?.erased ?? {} }] : [],
  );

export const hasDeletionEvent = (world: World): boolean =>
  listUserEvents(world).some(({ type }) => type === 'user.deleted');

/**
 * The receipt must be the last event since the deletion, preceded by at most the end of a
 * membership. Its counts must match what the erasers removed: each row once, and at most once more
 * if another worker wrote it again.
 */
export function findReceiptProblems(
  world: World,
  eventsBefore: readonly UserEventSummary[],
  removed: readonly Key[],
): string[] {
  const since = listUserEvents(world).filter(({ id }) => !eventsBefore.some((before) => before.id === id));
  const receipt = since.at(-1);
  if (!/^(member\.removed )?user\.deleted$/.test(since.map(({ type }) => type).join(' ')) || !receipt)
    return [`events after the deletion: ${since.map(({ type }) => type).join(', ') || 'nothing'}`];
  const { erased } = receipt;
  const times = Map.groupBy(removed, kindOf);
  return [...new Set([...times.keys(), ...Object.keys(erased)])].flatMap((kind) => {
    const rows = times.get(kind) ?? [];
    const [minCount, maxCount] = [new Set(rows.map(({ sk }) => sk)).size, rows.length];
    const counted = erased[kind] ?? 0;
    return counted >= minCount && counted <= maxCount
      ? []
      : `the receipt counts ${counted} ${kind}, but ${minCount} to ${maxCount} were erased`;
  });
}
