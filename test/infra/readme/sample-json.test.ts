import { describe, expect, test } from 'vitest';
import { checkLikeSample, checkValue } from './persona-values.ts';
import { readBlocks } from './readme-blocks.ts';
import { findDifferences, listScalars, parseSample } from './sample-json.ts';

const sample = parseSample('{…,"dates":[…,"2026-11-16","2026-11-17"],"series":{"steps":[…,11258,5733]},"unit":"bpm",…');
const value = {
  from_date: '2026-03-01',
  dates: ['2026-03-01', '2026-03-02', '2026-03-03'],
  series: { steps: [900, 12_000, null] },
  unit: 'bpm',
};
const differences = (actual: unknown) => findDifferences(sample, actual, checkLikeSample);

describe('a sample', () => {
  test('matches other values of the same kind, with more of what it leaves out, and nothing for today', () =>
    expect(differences(value)).toEqual([]));

  test.each([
    ['another name', { ...value, series: { stairs: [1, 2, 3] } }],
    ['a missing name', { dates: value.dates, unit: 'bpm' }],
    ['another order', { series: value.series, dates: value.dates, unit: 'bpm' }],
    ['a name that is not left out', { ...value, series: { steps: [1, 2, 3], asleep: [] } }],
    ['too few items', { ...value, dates: ['2026-03-01'] }],
    ['nothing for an earlier day', { ...value, series: { steps: [900, null, 1_000] } }],
    ['only nothing', { ...value, series: { steps: [null, null, null] } }],
    ['another type', { ...value, series: { steps: ['1', '2', '3'] } }],
    ['another format', { ...value, dates: ['1 March', '2 March', '3 March'] }],
    ['another word', { ...value, unit: 'kg' }],
    ['an implausible number', { ...value, series: { steps: [1, 90_000, 3] } }],
    ['a list instead of an object', { ...value, series: [] }],
  ])('does not match %s', (_name, actual) => expect(differences(actual)).not.toEqual([]));

  test.each(['{"a":1', '[1,2', '{"a" 1}', '[1] [2]'])('is not parsed from %j', (text) =>
    expect(() => parseSample(text)).toThrow(),
  );
});

const shown = readBlocks().flatMap(({ line, output }) => (output === undefined ? [] : [{ line, output }]));

test.each(shown)(
  'the output below line $line of the README has only values that its persona can have',
  ({ output }) => {
    const scalars = listScalars(parseSample(output));
    expect(scalars.length).toBeGreaterThan(3);
    expect(scalars.flatMap(({ name, value: each }) => checkValue(name, each) ?? [])).toEqual([]);
  },
);
