// Every unit that a source may use, by what it measures, and the exact conversion between units.
import * as z from 'zod';

interface Scale {
  /** How many of the dimension's base units one of this unit is. */
  factor: number;
  /** Added before multiplying. Only temperatures have a different zero point. */
  offset?: number;
}
type Scales = Readonly<Record<string, Scale>>;

const fahrenheit: Scale = { factor: 5 / 9, offset: -32 };
const celsius: Scale = { factor: 1 };
const perMinute: Scale = { factor: 1 };
const perSecond: Scale = { factor: 60 };
const usFluidOunce: Scale = { factor: 29.5735295625 };
const oxygenUptake: Scale = { factor: 1 };

const dimensions = {
  count: { count: { factor: 1 } },
  score: { score: { factor: 1 } },
  length: {
    mm: { factor: 1 },
    cm: { factor: 10 },
    m: { factor: 1_000 },
    km: { factor: 1_000_000 },
    in: { factor: 25.4 },
    ft: { factor: 304.8 },
    yd: { factor: 914.4 },
    mi: { factor: 1_609_344 },
  },
  mass: {
    mcg: { factor: 1 },
    µg: { factor: 1 },
    mg: { factor: 1_000 },
    g: { factor: 1_000_000 },
    kg: { factor: 1_000_000_000 },
    oz: { factor: 28_349_523.125 },
    lb: { factor: 453_592_370 },
    st: { factor: 6_350_293_180 },
  },
  temperature: {
    K: { factor: 1, offset: -273.15 },
    '°C': celsius,
    C: celsius,
    degC: celsius,
    '°F': fahrenheit,
    F: fahrenheit,
    degF: fahrenheit,
  },
  energy: {
    J: { factor: 1 },
    kJ: { factor: 1_000 },
    cal: { factor: 4.184 },
    kcal: { factor: 4_184 },
    Cal: { factor: 4_184 },
  },
  duration: {
    ms: { factor: 1 },
    s: { factor: 1_000 },
    sec: { factor: 1_000 },
    min: { factor: 60_000 },
    h: { factor: 3_600_000 },
    hr: { factor: 3_600_000 },
  },
  ratio: { '%': { factor: 1 }, fraction: { factor: 100 } },
  heartbeat: { bpm: perMinute, 'count/min': perMinute, 'count/s': perSecond, Hz: perSecond },
  breath: { brpm: perMinute, 'count/min': perMinute, 'count/s': perSecond, Hz: perSecond },
  pressure: { mmHg: { factor: 133.322387415 }, kPa: { factor: 1_000 } },
  glucose: { 'mg/dL': { factor: 1 }, 'mmol/L': { factor: 18.0182 } },
  oxygenUptake: {
    'mL/kg/min': oxygenUptake,
    'ml/kg/min': oxygenUptake,
    'mL/(kg·min)': oxygenUptake,
    'mL/min·kg': oxygenUptake,
  },
  massPerArea: { 'kg/m²': { factor: 1 }, 'kg/m2': { factor: 1 }, count: { factor: 1 } },
  volume: { mL: { factor: 1 }, ml: { factor: 1 }, L: { factor: 1_000 }, fl_oz: usFluidOunce, fl_oz_us: usFluidOunce },
} as const satisfies Record<string, Scales>;
type Dimension = keyof typeof dimensions;

/** The units in which values are stored and returned, each with its dimension. */
const dimensionByUnit = {
  count: 'count',
  score: 'score',
  km: 'length',
  m: 'length',
  cm: 'length',
  mi: 'length',
  in: 'length',
  kg: 'mass',
  g: 'mass',
  mg: 'mass',
  lb: 'mass',
  '°C': 'temperature',
  '°F': 'temperature',
  kcal: 'energy',
  min: 'duration',
  ms: 'duration',
  '%': 'ratio',
  bpm: 'heartbeat',
  brpm: 'breath',
  mmHg: 'pressure',
  'mg/dL': 'glucose',
  'mL/kg/min': 'oxygenUptake',
  'kg/m²': 'massPerArea',
  mL: 'volume',
} as const satisfies Record<string, Dimension>;
// `Object.keys` loses the type of the keys, which are those of the table above.
const units = Object.keys(dimensionByUnit) as (keyof typeof dimensionByUnit)[];
export const Unit = z.enum(units).meta({
  id: 'Unit',
  description: 'A unit in which values are returned. New units may be added.',
  examples: ['count'],
});
export type Unit = z.infer<typeof Unit>;

function getScales(unit: Unit): Scales {
  return dimensions[dimensionByUnit[unit]];
}

/** The unit names that convert to `unit`, including itself. */
export function listConvertibleUnits(unit: Unit): string[] {
  return Object.keys(getScales(unit));
}

/** Every unit name that any metric accepts. */
export function listAllUnits(): string[] {
  return [...new Set(Object.values(dimensions).flatMap((scales) => Object.keys(scales)))];
}

/**
 * The value in `to`, without floating-point noise; undefined if the two units do not measure the
 * same thing.
 */
export function convert(value: number, from: string, to: Unit): number | undefined {
  return convertWithin(to, value, from, to);
}

/** Converts between any two units of the same dimension as `dimensionUnit`. */
export function convertWithin(dimensionUnit: Unit, value: number, from: string, to: string): number | undefined {
  if (from === to) return value;
  const scales = getScales(dimensionUnit);
  const source = Object.hasOwn(scales, from) ? scales[from] : undefined;
  const target = Object.hasOwn(scales, to) ? scales[to] : undefined;
  if (source === undefined || target === undefined) return undefined;
  if (source === target) return value;
  const base = (value + (source.offset ?? 0)) * source.factor;
  return removeNoise(base / target.factor - (target.offset ?? 0));
}

/**
 * A double holds at least 15 significant digits; differences beyond them come from its binary
 * representation.
 */
function removeNoise(value: number): number {
  return Number(value.toPrecision(15));
}
