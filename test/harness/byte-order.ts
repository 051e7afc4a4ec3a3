/** UTF-16 order differs from UTF-8 order only from these code units on. */
const reorderedCodeUnits = /[\ud800-\uffff]/;

/** Compares the UTF-8 bytes, as the table engines do. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  if (reorderedCodeUnits.test(a) || reorderedCodeUnits.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}
