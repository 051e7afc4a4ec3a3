/** Only from these on the order of UTF-16 is not that of UTF-8. */
const reorderedCodeUnits = /[\ud800-\uffff]/;

/** By their bytes, as the table's engines order texts. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  if (reorderedCodeUnits.test(a) || reorderedCodeUnits.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}
