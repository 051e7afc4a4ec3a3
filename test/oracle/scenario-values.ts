// Values for a scenario: typical, tiny and huge ones, and values exactly on a rounding boundary, in
// any unit.
import { type Metric, metricOf, precisionIn } from './metric-table.ts';
import type { Random } from './random.ts';
import { compare, fromNumber, toNumber } from './rational.ts';
import { convert, spellingsOf } from './units.ts';

const unitsFor: Record<string, string[]> = {
  count: ['count'],
  km: ['m', 'km', 'mi', 'yd', 'ft', 'in', 'cm', 'mm'],
  min: ['min', 's', 'ms', 'h'],
  ms: ['ms', 's', 'min', 'h'],
  kcal: ['kcal', 'cal', 'kJ', 'J'],
  kg: ['kg', 'g', 'mg', 'µg', 'lb', 'oz', 'st'],
  '°C': ['°C', '°F', 'K'],
  bpm: ['bpm', 'Hz', 'count/min'],
  brpm: ['brpm', 'Hz', 'count/min'],
  '%': ['%', 'fraction'],
  mmHg: ['mmHg', 'kPa'],
  'mg/dL': ['mg/dL', 'mmol/L'],
  mL: ['mL', 'L', 'fl_oz'],
};
const relatedUnits: Record<string, string> = { m: 'km', cm: 'km', g: 'kg', mg: 'kg' };

/** The units in which a source may report a metric. */
export const unitsOf = ({ unit }: Metric): string[] => unitsFor[unit] ?? unitsFor[relatedUnits[unit] ?? ''] ?? [unit];

/** What one sample typically contains, in the metric's unit. */
const usualRanges: Record<string, [number, number]> = {
  steps: [0, 900],
  swimming: [0, 400],
  exercise: [0, 20],
  stand_time: [0, 20],
  mindfulness: [0, 20],
  flights_climbed: [0, 9],
  stand_hours: [0, 2],
  active_calories: [0, 90],
  resting_energy: [0, 90],
  total_calories: [0, 150],
  asleep: [5, 200],
  longest_sleep: [5, 200],
  time_in_bed: [5, 200],
  sleep_efficiency: [60, 100],
  blood_oxygen: [88, 100],
  sleep_blood_oxygen: [88, 100],
  body_temperature: [35, 40],
  sleep_body_temperature: [35, 40],
  blood_glucose: [60, 250],
  blood_pressure_systolic: [95, 170],
  blood_pressure_diastolic: [55, 110],
  weight: [40, 130],
  height: [140, 210],
  sodium: [0, 900],
  water: [0, 700],
};
const usualRangesByUnit: Record<string, [number, number]> = {
  km: [0, 3],
  min: [0, 120],
  bpm: [45, 180],
  ms: [10, 150],
};

export interface UnitValue {
  value: number;
  unit: string;
}

/** `times` scales the typical size, for values that cover more than one sample. */
export function makeValue(random: Random, metricId: string, times = 1): UnitValue {
  const metric = metricOf(metricId);
  const [min, max] = metric.range;
  const [low, high] = usualRanges[metricId] ?? usualRangesByUnit[metric.unit] ?? [min, min + (max - min) / 10];
  const size = random.between(low, metric.aggregation === 'sum' ? Math.min(max / 2, high * times) : high);
  const candidate = random.chance(0.15)
    ? makeBoundaryValue(random, metric, size)
    : makeValueInUnit(random, metric, size);
  const own = convert(fromNumber(candidate.value), candidate.unit, metric.unit);
  const plausible = compare(own, fromNumber(min)) >= 0 && compare(own, fromNumber(max)) <= 0;
  return plausible ? candidate : { value: Math.round((low + high) / 2), unit: metric.unit };
}

/** Half a unit of the last displayed place, in metric or imperial units. */
function makeBoundaryValue(random: Random, metric: Metric, size: number): UnitValue {
  const { unit, imperialUnit } = metric;
  const shownIn = random.pick([unit, imperialUnit]);
  const precision = precisionIn(metric, shownIn);
  const truncated = Math.floor(convertSize(size, unit, shownIn) * 10 ** precision);
  return { value: Number(`${truncated}5e-${precision + 1}`), unit: shownIn };
}

function makeValueInUnit(random: Random, metric: Metric, size: number): UnitValue {
  const { id, unit, imperialUnit, aggregation } = metric;
  const used = random.weighted([
    [6, unit],
    [2, imperialUnit],
    [3, random.pick(unitsOf(metric))],
  ]);
  if (unit === 'count' && random.chance(0.9)) return { value: Math.round(size), unit };
  if (aggregation === 'sum' && random.chance(0.05)) return { value: random.pick([0, 0.0004, 0.02]), unit };
  const digits = random.weighted([
    [2, 2],
    [4, 3],
    [3, 5],
    [2, 7],
    [1, 12],
  ] as const);
  const value = Number(convertSize(size, unit, used).toPrecision(digits));
  return { value, unit: id === 'sleep_efficiency' ? used : random.pick([used, used, random.pick(spellingsOf(used))]) };
}

const convertSize = (size: number, from: string, to: string): number => toNumber(convert(fromNumber(size), from, to));
