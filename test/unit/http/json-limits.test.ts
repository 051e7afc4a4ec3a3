import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assertJsonLimits, type JsonLimits } from '../../../shared/http/json-limits.ts';
import { Failure } from '../../../shared/system/failure.ts';

const unlimited: JsonLimits = {
  depth: Number.POSITIVE_INFINITY,
  values: Number.POSITIVE_INFINITY,
  members: Number.POSITIVE_INFINITY,
};
const outcome = (limits: Partial<JsonLimits>, text: string): string => {
  try {
    assertJsonLimits({ ...unlimited, ...limits }, Buffer.from(text));
    return 'within';
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.code;
  }
};

interface Shape {
  depth: number;
  /** Every bracket and every comma counts. */
  values: number;
  /** The commas of the lists and objects directly within the body. */
  members: number;
}

/** Counts the parsed value, without looking at the text. */
function shapeOf(value: unknown, level = 1): Shape {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 0, members: 0 };
  const inside = Object.values(value);
  const commas = Math.max(0, inside.length - 1);
  const shapes = inside.map((each) => shapeOf(each, level + 1));
  return {
    depth: 1 + Math.max(0, ...shapes.map(({ depth }) => depth)),
    values: 1 + commas + shapes.reduce((sum, { values }) => sum + values, 0),
    members: (level === 2 ? commas : 0) + shapes.reduce((sum, { members }) => sum + members, 0),
  };
}

/** Strings full of characters that are syntax outside of strings. */
const text = fc.string({ unit: fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', 'u', 'é', '💓', ' ') });
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(text, fc.double(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(text, tie('value'), { maxKeys: 5, noNullPrototype: true }),
  ),
}));

test('any JSON is within its own depth, values and members, and exceeds limits that are one lower', () => {
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1, '\t'), (input, space) => {
      const written = JSON.stringify(input, null, space);
      const shape = shapeOf(JSON.parse(written));
      const limits = { depth: shape.depth, values: shape.values, members: shape.members };
      expect(outcome(limits, written)).toBe('within');
      if (shape.depth > 0) expect(outcome({ depth: shape.depth - 1 }, written)).toBe('invalid_body');
      if (shape.values > 0) expect(outcome({ values: shape.values - 1 }, written)).toBe('payload_too_large');
      if (shape.members > 0) expect(outcome({ members: shape.members - 1 }, written)).toBe('payload_too_large');
    }),
    { numRuns: 500 },
  );
});

test('any bytes are scanned to their end', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => assertJsonLimits(unlimited, bytes)));
});

describe('JSON beyond a limit', () => {
  const limits = { depth: 32, values: 1_000, members: 500 };

  test.each([
    ['lists', '['.repeat(33), 'invalid_body'],
    ['objects', '{"a":'.repeat(33), 'invalid_body'],
    ['both', '[{"a":'.repeat(17), 'invalid_body'],
    ['values', `{"a":{"b":{"c":[${'1,'.repeat(1_001)}1]}}}`, 'payload_too_large'],
    ['empty lists', `[[[${'[],'.repeat(501)}1]]]`, 'payload_too_large'],
    ['members', `{"a":[${'1,'.repeat(501)}1]}`, 'payload_too_large'],
  ])('is rejected for %s', (_what, written, code) => expect(outcome(limits, written)).toBe(code));

  test.each([
    ['brackets', `{"a":"${'[{'.repeat(1_000)}"}`],
    ['commas', `{"a":["${','.repeat(2_000)}"]}`],
    ['quotes', `{"a":["${'\\"[,'.repeat(2_000)}"]}`],
    ['backslashes', `{"a":["\\\\","${'['.repeat(40)}"]}`],
  ])('is accepted for %s within a string', (_what, written) => {
    JSON.parse(written);
    expect(outcome(limits, written)).toBe('within');
  });
});
