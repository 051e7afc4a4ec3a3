import { describe, expect, test } from 'vitest';
import { decimalText, divide, fromNumber, fromText, ratio, round, sum, toNumber } from './rational.ts';
import { convert } from './units.ts';

const times = (count: number, text: string) => sum(Array.from({ length: count }, () => fromText(text)));

describe('exact numbers', () => {
  test.each([
    ['0.02', '1/50'],
    ['-12.5', '-25/2'],
    ['1e-7', '1/10000000'],
    ['2.5E3', '2500/1'],
    ['0', '0/1'],
  ])('%s is %s', (text, expected) => {
    const { numerator: top, denominator: bottom } = fromText(text);
    expect(`${top}/${bottom}`).toBe(expected);
  });

  test('a JSON number is the decimal it shows, not the underlying binary fraction', () => {
    expect(fromNumber(0.1 + 0.2)).toEqual(fromText('0.30000000000000004'));
    expect(fromNumber(36.65)).toEqual(ratio(3665, 100));
    expect(toNumber(divide(ratio(1), ratio(3)))).toBe(1 / 3);
  });

  test.each([
    ['36.65', 1, 36.7],
    ['0.845', 2, 0.85],
    ['-0.845', 2, -0.85],
    ['1.005', 2, 1.01],
    ['80.0049', 2, 80],
    ['0.4999999999999999', 0, 0],
    ['2.5', 0, 3],
    ['-0.4', 0, 0],
  ])('%s rounded to %i decimals is %d', (text, decimals, expected) => {
    expect(round(fromText(text), decimals)).toBe(expected);
  });

  test('decimals are printed with all their places', () => {
    expect(decimalText(fromText('80.0049'), 2)).toBe('80.00');
    expect(decimalText(fromText('0.005'), 2)).toBe('0.01');
  });
});

test.each([
  ['0.4 kcal', 600, '0.4', 'kcal', 'kcal', 0, 240],
  ['0.6 kcal', 600, '0.6', 'kcal', 'kcal', 0, 360],
  ['1.4 m', 600, '1.4', 'm', 'km', 2, 0.84],
  ['20 s', 90, '20', 's', 'min', 0, 30],
  ['0.02 g', 500, '0.02', 'g', 'g', 1, 10],
])('%s added %i times is rounded only once', (_what, count, text, from, to, decimals, expected) => {
  expect(round(convert(times(count, text), from, to), decimals)).toBe(expected);
});

test.each([
  ['1', 'in', 'cm', '2.54'],
  ['1', 'mi', 'km', '1.609344'],
  ['1', 'yd', 'm', '0.9144'],
  ['1', 'ft', 'in', '12'],
  ['1', 'lb', 'kg', '0.45359237'],
  ['1', 'st', 'lb', '14'],
  ['1', 'lb', 'oz', '16'],
  ['4.184', 'kJ', 'kcal', '1'],
  ['4184', 'J', 'kcal', '1'],
  ['98.6', '°F', '°C', '37'],
  ['310.15', 'K', '°C', '37'],
  ['36.65', '°C', '°F', '97.97'],
  ['5', 'mmol/L', 'mg/dL', '90.091'],
  ['13.3322387415', 'kPa', 'mmHg', '100'],
  ['2', 'fl_oz', 'mL', '59.147059125'],
  ['0.97', 'fraction', '%', '97'],
  ['1.5', 'Hz', 'bpm', '90'],
  ['0.05', 's', 'ms', '50'],
  ['1.5', 'h', 'min', '90'],
  ['3', 'µg', 'mg', '0.003'],
])('%s %s in %s is exactly %s', (value, from, to, expected) => {
  expect(convert(fromText(value), from, to)).toEqual(fromText(expected));
  expect(convert(fromText(expected), to, from)).toEqual(fromText(value));
});
