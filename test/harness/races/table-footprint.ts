// What a table call reads and writes, and so whether two calls could as well have come in the other order.
import type { Key, Query, Write } from '../../../shared/platform/ports.ts';

/** Every sort key from one to the other, both included. */
export interface Touch {
  pk: string;
  from: string;
  to: string;
  writes: boolean;
}
export interface TableCall {
  readonly name: string;
  touches: readonly Touch[];
}

/** Nearly all names are never read. */
const callOf = (nameOf: () => string, touches: readonly Touch[]): TableCall => ({
  touches,
  get name() {
    return nameOf();
  },
});

/** Sorts after whatever begins with the same text. */
const last = '\uffff';
const anywhere = '*';

const point = ({ pk, sk }: Key, writes: boolean): Touch => ({ pk, from: sk, to: sk, writes });
const keyOf = (write: Write): Key => (write.kind === 'put' ? write.item : write.key);

export const readingCall = (name: string, keys: readonly Key[]): TableCall =>
  callOf(
    () => `${name} ${keys.map(shown).join(' ')}`,
    keys.map((key) => point(key, false)),
  );

export const writingCall = (name: string, writes: readonly Write[]): TableCall =>
  callOf(
    () => `${name} ${writes.map((write) => `${write.kind} ${shown(keyOf(write))}`).join(', ')}`,
    writes.map((write) => point(keyOf(write), write.kind !== 'check')),
  );

/** A query of an index may see any row. */
export function queryingCall({ index, where, values }: Query): TableCall {
  const { pk, ...rest } = values;
  const [from = '', to = `${from}${last}`] = Object.values(rest).filter((value) => typeof value === 'string');
  const within = /begins_with|BETWEEN/.test(where) ? { from, to } : { from: '', to: last };
  const touch =
    index === undefined && typeof pk === 'string' ? { pk, ...within } : { pk: anywhere, from: '', to: last };
  return callOf(() => `query ${index ?? shown({ pk: touch.pk, sk: touch.from })}`, [{ ...touch, writes: false }]);
}

/** Ids are left out, so that a trace reads the same each time. */
const shown = ({ pk, sk }: Key): string =>
  `${pk.startsWith('U#') ? '' : `${pk.slice(0, 2)}…#`}${sk}`.replaceAll(
    /(\d{14}#)?[a-z]{3}_[\w-]{8,}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
    '…',
  );

export const independent = (a: TableCall, b: TableCall): boolean =>
  !a.touches.some((one) => b.touches.some((other) => (one.writes || other.writes) && meet(one, other)));

const meet = (a: Touch, b: Touch): boolean =>
  a.pk === anywhere || b.pk === anywhere || (a.pk === b.pk && a.from <= b.to && b.from <= a.to);
