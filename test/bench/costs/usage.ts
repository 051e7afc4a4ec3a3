// What functions have used, as plain counts by function and counter, so that usages can be added
// and subtracted.

export type Counter =
  | 'runs'
  /** Queue messages that it received. */
  | 'messages'
  | 'tableCalls'
  | 'readUnits'
  | 'writeUnits'
  /** The minimum cost of failed conditional writes on AWS. Local engines do not report them. */
  | 'refusedUnits'
  /** Sends, receives and deletes. */
  | 'standardRequests'
  | 'fifoRequests'
  | 'sentMessages'
  | 'busEntries'
  | 'logBytes';

export type Counts = Partial<Record<Counter, number>>;
/** Keyed by the function's name in the manifest. */
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

/** Safe, because nothing else is ever counted. */
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

/** The usage of the functions that match. */
export const filterUsage = (usage: Usage, isWanted: (name: string) => boolean): Usage =>
  Object.fromEntries(Object.entries(usage).filter(([name]) => isWanted(name)));
