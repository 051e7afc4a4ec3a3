// What must be true when a user has been erased, told as a list of what is not: read from the whole table, whoever wrote it.
import type { Item, Key } from '../../../shared/platform/ports.ts';
import { userPartition } from '../../../shared/system/keys.ts';
import { readEvents } from '../outbox.ts';
import { personalData, type World } from './world.ts';

/** Events with opaque ids, on their way, in the feed and in the delivery logs, and consents that are being given back: what the page on erasure says remains. */
const mayRemain = ({ pk, sk }: Item): boolean =>
  /^(V|F|REVOKE)#/.test(String(pk)) || (String(pk).startsWith('H#') && String(sk).startsWith('DELIVERY#'));

/** By the beginning of a sort key, as the documentation of the receipt names them. */
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

/** The user's own id and everything that only it has: with the prefix of an id and without it. */
export function collectIds(rows: readonly Item[], id: string): string[] {
  const own = rows.filter(({ pk }) => pk === userPartition(id));
  const ids = own.flatMap(({ sk }) => /^(?:@DEVICE#|!DEVICE#|SDK#|MT#)(.+)$/.exec(String(sk))?.[1] ?? []);
  return [id, ...ids].flatMap((name) => [name, name.replace(/^(usr|dev)_/, '')]);
}

/** In the rows of the whole table. */
export function findLeftovers(rows: readonly Item[], names: readonly string[]): string[] {
  const words = Object.values(personalData);
  return rows.flatMap((row) => {
    const text = textOf(row);
    const found = (mayRemain(row) ? words : [...names, ...words]).find((name) => text.includes(name));
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

/** The receipt is the last thing that was told since, with at most the end of a membership before it, and it counts what the erasers took: each row once, one that somebody wrote again at most once more. */
export function findReceiptProblems(
  world: World,
  eventsBefore: readonly UserEventSummary[],
  removed: readonly Key[],
): string[] {
  const since = listUserEvents(world).filter(({ id }) => !eventsBefore.some((before) => before.id === id));
  const receipt = since.at(-1);
  if (!/^(member\.removed )?user\.deleted$/.test(since.map(({ type }) => type).join(' ')) || !receipt)
    return [`after the deletion were told: ${since.map(({ type }) => type).join(', ') || 'nothing'}`];
  const { erased } = receipt;
  const times = Map.groupBy(removed, kindOf);
  return [...new Set([...times.keys(), ...Object.keys(erased)])].flatMap((kind) => {
    const rows = times.get(kind) ?? [];
    const [minCount, maxCount] = [new Set(rows.map(({ sk }) => sk)).size, rows.length];
    const counted = erased[kind] ?? 0;
    return counted >= minCount && counted <= maxCount
      ? []
      : `${counted} ${kind} are counted, ${minCount} to ${maxCount} were erased`;
  });
}
