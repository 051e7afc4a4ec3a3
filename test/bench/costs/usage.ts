// What functions have used, by function and by what it is: plain counts, so that they add and subtract.

export type Counter =
  | 'runs'
  /** Messages of queues that were handed to it. */
  | 'messages'
  | 'tableCalls'
  | 'readUnits'
  | 'writeUnits'
  /** The least that refused conditional writes cost on AWS; local engines do not report them. */
  | 'refusedUnits'
  /** Sends, receives and deletes. */
  | 'standardRequests'
  | 'fifoRequests'
  | 'sentMessages'
  | 'busEntries'
  | 'logBytes';

export type Counts = Partial<Record<Counter, number>>;
/** By the function's name in the map. */
export type Usage = Record<string, Counts>;

export function combine(a: Usage, b: Usage, sign: 1 | -1 = 1): Usage {
  const result: Usage = {};
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const counts: Counts = {};
    for (const what of new Set([...keysOf(a[name]), ...keysOf(b[name])])) {
      const value = (a[name]?.[what] ?? 0) + sign * (b[name]?.[what] ?? 0);
      if (value !== 0) counts[what] = value;
    }
    if (Object.keys(counts).length > 0) result[name] = counts;
  }
  return result;
}

/** Holds because nothing else is ever counted. */
const keysOf = (counts: Counts = {}): Counter[] => Object.keys(counts) as Counter[];

export const scale = (usage: Usage, factor: number): Usage =>
  Object.fromEntries(
    Object.entries(usage).map(([name, counts]) => [
      name,
      Object.fromEntries(keysOf(counts).map((what) => [what, (counts[what] ?? 0) * factor])),
    ]),
  );

export const totalOf = (usage: Usage, what: Counter): number =>
  Object.values(usage).reduce((sum, counts) => sum + (counts[what] ?? 0), 0);

/** Of those functions alone for which it holds. */
export const filterUsage = (usage: Usage, isWanted: (name: string) => boolean): Usage =>
  Object.fromEntries(Object.entries(usage).filter(([name]) => isWanted(name)));
