import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countEdits, findNearestName } from '../../../shared/platform/nearest-name.ts';
import { fewRuns, runOptions } from '../../harness/property-runs.ts';

const daily = ['types', 'from_date', 'to_date', 'unit_system', 'include_sources'];

describe('the nearest name', () => {
  test.each([
    ['fromdate', 'from_date'],
    ['fromDate', 'from_date'],
    ['FROM-DATE', 'from_date'],
    ['date_from', 'from_date'],
    ['form_date', 'from_date'],
    ['frmdte', 'from_date'],
    ['from', 'from_date'],
    ['to', 'to_date'],
    ['to_day', 'to_date'],
    ['until_date', 'from_date'],
    ['type', 'types'],
    ['tpyes', 'types'],
    ['data_types', 'types'],
    ['units', 'unit_system'],
    ['sources', 'include_sources'],
    ['include_source', 'include_sources'],
    ['from_day', 'from_date'],
  ])('to %s is %s', (written, name) => {
    expect(findNearestName(written, daily)).toBe(name);
  });

  test.each([
    '',
    't',
    'total',
    'fields',
    'include_stages',
    'unit_price',
    'frmdt',
    '日付',
    '__',
    '🙂🙂🙂',
    'x'.repeat(10_000),
    `from_date${'!'.repeat(60)}`,
  ])('to %s does not exist', (written) => {
    expect(findNearestName(written, daily)).toBeUndefined();
  });

  test('is a misspelling rather than a name that contains it', () => {
    expect(findNearestName('dat', ['from_date', 'date'])).toBe('date');
    expect(findNearestName('metricss', ['metric', 'metrics'])).toBe('metrics');
  });

  test('is the first of several that are equally near', () => {
    expect(findNearestName('date', ['from_date', 'to_date'])).toBe('from_date');
    expect(findNearestName('include', ['types', 'include_status', 'include_factors'])).toBe('include_status');
  });

  test('does not exist without names', () => {
    expect(findNearestName('from_date', [])).toBeUndefined();
  });
});

/** The definition, without any table: the last letters agree, or one edit is made at the end. */
function naiveEdits(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [shortA, shortB] = [a.slice(0, -1), b.slice(0, -1)];
  if (a.at(-1) === b.at(-1)) return naiveEdits(shortA, shortB);
  const others = [naiveEdits(shortA, b), naiveEdits(a, shortB), naiveEdits(shortA, shortB)];
  if (a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1))
    others.push(naiveEdits(a.slice(0, -2), b.slice(0, -2)));
  return 1 + Math.min(...others);
}

const wordsOf = (name: string) => name.split('_').filter((word) => word !== '');

/** Sorts all names by what they have in common with the written one. */
function naiveNearest(written: string, names: readonly string[]): string | undefined {
  const letters = written.replaceAll('_', '');
  const ranked = names.flatMap((name, position) => {
    const other = name.replaceAll('_', '');
    const [own, others] = [wordsOf(written), wordsOf(name)];
    const sharesStart = own.length > 1 && others.length > 1 && own[0] === others[0];
    const [ownEnd, end] = sharesStart ? [own.slice(1), others.slice(1)] : [own, others];
    const edits = naiveEdits(ownEnd.join(''), end.join(''));
    const lengths = [ownEnd.join('').length, end.join('').length];
    const isSame = letters === other || String(wordsOf(written).sort()) === String(wordsOf(name).sort());
    const isSpelling = edits <= 1 || edits * 3 <= Math.min(...lengths);
    const isPart = (letters.length >= 3 && other.includes(letters)) || (other.length >= 3 && letters.includes(other));
    const isSimilar = sharesStart && edits * 2 <= Math.max(...lengths);
    const isRelated = isPart || isSimilar || ownEnd.some((word) => end.includes(word));
    const rank = isSame ? 0 : isSpelling ? edits : isRelated ? 1_000 : undefined;
    return rank === undefined ? [] : [{ name, rank, position }];
  });
  return ranked.sort((a, b) => a.rank - b.rank || a.position - b.position)[0]?.name;
}

const letters = (alphabet: string, max: number) => fc.string({ unit: fc.constantFrom(...alphabet), maxLength: max });

interface Edit {
  position: number;
  removed: number;
  added: string;
}
const edit = fc.record({ position: fc.nat(8), removed: fc.nat(1), added: letters('abcd_', 1) });
const misspellings = fc.array(edit, { maxLength: 4 });
const applyEdit = (text: string, { position, removed, added }: Edit): string =>
  text.slice(0, position) + added + text.slice(position + removed);

describe('against a naive oracle', () => {
  test('edits are counted alike, and in both directions', () => {
    fc.assert(
      fc.property(letters('abc', 7), letters('abc', 7), (a, b) => {
        expect(countEdits(a, b)).toBe(naiveEdits(a, b));
        expect(countEdits(b, a)).toBe(countEdits(a, b));
      }),
      runOptions(fewRuns(1), 400),
    );
  });

  test('the same name is the nearest', () => {
    const found = { near: 0, none: 0 };
    fc.assert(
      fc.property(
        fc.array(letters('abcd_', 8), { maxLength: 5 }),
        letters('abcd_', 8),
        misspellings,
        (names, other, edits) => {
          const written = names[0] === undefined ? other : edits.reduce(applyEdit, names[0]);
          const nearest = findNearestName(written, names.slice(edits.length % 2));
          found[nearest === undefined ? 'none' : 'near']++;
          expect(nearest).toBe(naiveNearest(written, names.slice(edits.length % 2)));
        },
      ),
      runOptions(fewRuns(1), 400),
    );
    expect(Math.min(found.near, found.none)).toBeGreaterThan(20);
  });
});
