// The definition of every unit, written by hand: exact fractions, no floating point.
import { add, divide, fromText, multiply, type Rational, ratio, subtract, zero } from './rational.ts';

interface Unit {
  /** The unit of the same kind to which `factor` and `shift` convert. */
  base: string;
  factor: Rational;
  shift: Rational;
}

const unit = (base: string, factor: string | Rational = '1', shift: string | Rational = '0'): Unit => ({
  base,
  factor: typeof factor === 'string' ? fromText(factor) : factor,
  shift: typeof shift === 'string' ? fromText(shift) : shift,
});
const pound = fromText('0.45359237');

const units: Record<string, Unit> = {
  count: unit('count'),
  score: unit('score'),
  m: unit('m'),
  km: unit('m', '1000'),
  cm: unit('m', '0.01'),
  mm: unit('m', '0.001'),
  mi: unit('m', '1609.344'),
  yd: unit('m', '0.9144'),
  ft: unit('m', '0.3048'),
  in: unit('m', '0.0254'),
  min: unit('min'),
  s: unit('min', ratio(1, 60)),
  ms: unit('min', ratio(1, 60_000)),
  h: unit('min', '60'),
  kcal: unit('kcal'),
  cal: unit('kcal', '0.001'),
  kJ: unit('kcal', divide(ratio(1), fromText('4.184'))),
  J: unit('kcal', divide(ratio(1), fromText('4184'))),
  kg: unit('kg'),
  g: unit('kg', '0.001'),
  mg: unit('kg', '0.000001'),
  µg: unit('kg', '0.000000001'),
  lb: unit('kg', pound),
  oz: unit('kg', divide(pound, ratio(16))),
  st: unit('kg', multiply(pound, ratio(14))),
  '°C': unit('°C'),
  '°F': unit('°C', ratio(5, 9), ratio(-160, 9)),
  K: unit('°C', '1', '-273.15'),
  bpm: unit('bpm'),
  brpm: unit('bpm'),
  'count/min': unit('bpm'),
  Hz: unit('bpm', '60'),
  'count/s': unit('bpm', '60'),
  '%': unit('%'),
  fraction: unit('%', '100'),
  mmHg: unit('mmHg'),
  kPa: unit('mmHg', divide(ratio(1), fromText('0.133322387415'))),
  'mg/dL': unit('mg/dL'),
  'mmol/L': unit('mg/dL', '18.0182'),
  'mL/kg/min': unit('mL/kg/min'),
  'mL/(kg·min)': unit('mL/kg/min'),
  'kg/m²': unit('kg/m²'),
  mL: unit('mL'),
  L: unit('mL', '1000'),
  fl_oz: unit('mL', '29.5735295625'),
};

const unitAliases: Record<string, string> = {
  sec: 's',
  hr: 'h',
  Cal: 'kcal',
  C: '°C',
  degC: '°C',
  F: '°F',
  degF: '°F',
  mcg: 'µg',
  'ml/kg/min': 'mL/kg/min',
  'mL/min·kg': 'mL/kg/min',
  'kg/m2': 'kg/m²',
  ml: 'mL',
  fl_oz_us: 'fl_oz',
};

/** One spelling for each unit. */
export const canonicalUnit = (name: string): string => unitAliases[name] ?? name;
export const spellingsOf = (name: string): string[] => [
  name,
  ...Object.keys(unitAliases).filter((other) => unitAliases[other] === name),
];

export function convert(value: Rational, from: string, to: string): Rational {
  const [source, target] = [findUnit(from), findUnit(to)];
  if (source.base !== target.base) throw new Error(`${from} cannot be converted to ${to}`);
  return divide(subtract(add(multiply(value, source.factor), source.shift), target.shift), target.factor);
}

/** Converts a difference of two values, which is not affected by the zero point of a scale. */
export const convertSpan = (value: Rational, from: string, to: string): Rational =>
  subtract(convert(value, from, to), convert(zero, from, to));

function findUnit(name: string): Unit {
  const found = units[canonicalUnit(name)];
  if (!found) throw new Error(`unknown unit ${name}`);
  return found;
}
