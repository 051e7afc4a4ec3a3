// JSON text with one value replaced by an arbitrary one, as a broken or malicious provider might
// send it.

/** Nested more deeply than any legitimate JSON. */
export const deeplyNested = '['.repeat(50_000) + ']'.repeat(50_000);
/** JSON texts, some of which JSON.stringify would never produce. */
export const hostileValues = [
  ...[
    'null',
    'true',
    '""',
    '[]',
    '{}',
    '[[]]',
    '[null]',
    '[{}]',
    '0',
    '-1',
    '1e308',
    '-1e308',
    '1e999',
    '5e-324',
    '0.1',
  ],
  ...['"NaN"', '"-Infinity"', '"1e308"', '"0001-01-01"', '"9999-12-31"', '"2026-02-30"', '"0001-01-01T00:00:00Z"'],
  ...[
    '"9999-12-31T23:59:59+14:00"',
    '"+275760-09-13T00:00:00Z"',
    '"-271821-04-20T00:00:00.000Z"',
    '"24:00"',
    '"-99:99"',
  ],
  ...['253402300800', '-62135596800', '8640000000000001', '1773216000000000', '"\\ud800"', '"\\u0000"', '"__proto__"'],
  ...[
    `"${'x'.repeat(100_000)}"`,
    deeplyNested,
    '{"__proto__":{"steps":1}}',
    '{"length":1e9}',
    '"P99999999Y"',
    '"PT-1S"',
  ],
];

/** Finds the position of every value in a JSON text. Property names are not values. */
function findValueRanges(text: string): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/g)) {
    const [to] = [match.index + match[0].length];
    if (text[to] !== ':') found.push({ from: match.index, to });
  }
  return found;
}

/** Replaces one value of the text with a random replacement. */
export function corruptJson(
  text: string,
  random: () => number,
  replacements: readonly string[] = hostileValues,
): string {
  const ranges = findValueRanges(text);
  const { from, to } = ranges[Math.floor(random() * ranges.length)] ?? { from: 0, to: text.length };
  return text.slice(0, from) + replacements[Math.floor(random() * replacements.length)] + text.slice(to);
}
