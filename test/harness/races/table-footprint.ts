// What a table call reads and writes, which determines whether two calls can be swapped.
import type { Key, Query, Write } from '../../../shared/platform/ports.ts';

/** Every sort key from one to the other, inclusive. */
export interface KeyRange {
  pk: string;
  from: string;
  to: string;
  writes: boolean;
}
export interface TableCall {
  readonly name: string;
  ranges: readonly KeyRange[];
}

/** The name is computed lazily, because most names are never read. */
const makeCall = (nameOf: () => string, ranges: readonly KeyRange[]): TableCall => ({
  ranges,
  get name() {
    return nameOf();
  },
});

/** Sorts after every key with the same prefix. */
const maxSortKey = '\uffff';
const anyPartition = '*';

const point = ({ pk, sk }: Key, writes: boolean): KeyRange => ({ pk, from: sk, to: sk, writes });
const keyOf = (write: Write): Key => (write.kind === 'put' ? write.item : write.key);

export const readCall = (name: string, keys: readonly Key[]): TableCall =>
  makeCall(
    () => `${name} ${keys.map(describeKey).join(' ')}`,
    keys.map((key) => point(key, false)),
  );

export const writeCall = (name: string, writes: readonly Write[]): TableCall =>
  makeCall(
    () => `${name} ${writes.map((write) => `${write.kind} ${describeKey(keyOf(write))}`).join(', ')}`,
    writes.map((write) => point(keyOf(write), write.kind !== 'check')),
  );

/** An index query may read any row. */
export function queryCall({ index, where, values }: Query): TableCall {
  const { pk, ...rest } = values;
  const [from = '', to = `${from}${maxSortKey}`] = Object.values(rest).filter((value) => typeof value === 'string');
  const within = /begins_with|BETWEEN/.test(where) ? { from, to } : { from: '', to: maxSortKey };
  const range =
    index === undefined && typeof pk === 'string' ? { pk, ...within } : { pk: anyPartition, from: '', to: maxSortKey };
  return makeCall(
    () => `query ${index ?? describeKey({ pk: range.pk, sk: range.from })}`,
    [{ ...range, writes: false }],
  );
}

/** Ids are removed, so that a trace is the same each time. */
const describeKey = ({ pk, sk }: Key): string =>
  `${pk.startsWith('U#') ? '' : `${pk.slice(0, 2)}…#`}${sk}`.replaceAll(
    /(\d{14}#)?[a-z]{3}_[\w-]{8,}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
    '…',
  );

export const areIndependent = (a: TableCall, b: TableCall): boolean =>
  !a.ranges.some((one) => b.ranges.some((other) => (one.writes || other.writes) && overlaps(one, other)));

const overlaps = (a: KeyRange, b: KeyRange): boolean =>
  a.pk === anyPartition || b.pk === anyPartition || (a.pk === b.pk && a.from <= b.to && b.from <= a.to);
