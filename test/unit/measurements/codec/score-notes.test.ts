import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ScoreId } from '../../../../shared/catalog/score-ids.ts';
import { confidences, missingReasons, notApplicableReasons } from '../../../../shared/catalog/score-states.ts';
import { scoreTable } from '../../../../shared/catalog/score-table.ts';
import { packScoreNotes, type ScoreNote, unpackScoreNotes } from '../../../../shared/measurements/codec/score-notes.ts';

const byte = fc.integer({ min: 0, max: 255 });
const note: fc.Arbitrary<ScoreNote> = fc.oneof(
  fc.record({ status: fc.constant('value' as const), version: byte, confidence: fc.constantFrom(...confidences) }),
  fc.record({ status: fc.constant('calibrating' as const), days: byte, needed: byte }),
  fc.record({
    status: fc.constant('missing' as const),
    reason: fc.constantFrom(...missingReasons.filter((reason) => reason !== 'no_data')),
  }),
  fc.record({ status: fc.constant('not_applicable' as const), reason: fc.constantFrom(...notApplicableReasons) }),
);
const notesOf = (each: readonly (ScoreNote | null)[]): Map<ScoreId, ScoreNote> => {
  const notes = new Map<ScoreId, ScoreNote>();
  for (const [at, { id }] of scoreTable.entries()) {
    const own = each[at];
    if (own) notes.set(id, own);
  }
  return notes;
};
const anyNotes = fc.tuple(...scoreTable.map(() => fc.option(note))).map(notesOf);

test('the notes of a day decode to what was encoded, in at most three bytes per score', () => {
  fc.assert(
    fc.property(anyNotes, (notes) => {
      const packed = packScoreNotes(notes);
      expect(unpackScoreNotes(packed)).toEqual(notes);
      expect(packed.length).toBeLessThanOrEqual(1 + 3 * scoreTable.length);
    }),
  );
});

test('a score without data takes no bytes', () => {
  expect(packScoreNotes(new Map([['stress_score', { status: 'missing', reason: 'no_data' }]]))).toEqual(
    packScoreNotes(new Map()),
  );
});

test('the bytes of notes keep their meaning', () => {
  const notes = new Map<ScoreId, ScoreNote>([
    ['sleep_score', { status: 'value', version: 2, confidence: 'high' }],
    ['recovery_score', { status: 'calibrating', days: 3, needed: 5 }],
    ['strain_score', { status: 'missing', reason: 'not_worn' }],
    ['nutrition_score', { status: 'not_applicable', reason: 'under_18' }],
    ['energy_reserve_score', { status: 'missing', reason: 'no_strain' }],
  ]);
  expect(Buffer.from(packScoreNotes(notes)).toString('hex')).toBe(
    '61' + '000202' + '050305' + '0a03' + '0f00' + '1605',
  );
});

test('the indexes of reasons and confidences are those in stored days', () => {
  expect([confidences, missingReasons, notApplicableReasons]).toEqual([
    ['low', 'medium', 'high'],
    ['no_data', 'no_main_sleep', 'log_incomplete', 'not_worn', 'too_few_nutrients', 'no_strain'],
    ['under_18', 'under_1'],
  ]);
});

test.each([
  ['nothing at all', ''],
  ['another layout', '51'],
  ['a value without its confidence', '610002'],
  ['an unknown confidence', '61000203'],
  ['calibrating without days', '6101'],
  ['an unknown reason', '61027f'],
  ['an unknown reason for not_applicable', '610302'],
  ['an unknown score', '61fc0202'],
])('%s is rejected', (_what, hex) => {
  expect(() => unpackScoreNotes(Buffer.from(hex, 'hex'))).toThrow(/score/);
});
