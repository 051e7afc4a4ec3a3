// The number that each unit name is stored as. New names are only added at the end, because stored
// days contain these positions.

/** Marks a name that is not in the list and is written out. */
export const unlistedUnit = 0;

const unitNames = [
  '',
  'count',
  'mm',
  'cm',
  'm',
  'km',
  'in',
  'ft',
  'yd',
  'mi',
  'mcg',
  'µg',
  'mg',
  'g',
  'kg',
  'oz',
  'lb',
  'st',
  'K',
  '°C',
  'C',
  'degC',
  '°F',
  'F',
  'degF',
  'J',
  'kJ',
  'cal',
  'kcal',
  'Cal',
  'ms',
  's',
  'sec',
  'min',
  'h',
  'hr',
  '%',
  'fraction',
  'bpm',
  'count/min',
  'count/s',
  'Hz',
  'brpm',
  'mmHg',
  'kPa',
  'mg/dL',
  'mmol/L',
  'mL/kg/min',
  'ml/kg/min',
  'mL/(kg·min)',
  'mL/min·kg',
  'kg/m²',
  'kg/m2',
  'mL',
  'ml',
  'L',
  'fl_oz',
  'fl_oz_us',
  'score',
] as const;

const codes: ReadonlyMap<string, number> = new Map(
  unitNames.map((name, code): [string, number] => [name, code]).filter(([, code]) => code !== unlistedUnit),
);

export function getUnitCode(name: string): number {
  return codes.get(name) ?? unlistedUnit;
}

export function getUnitName(code: number): string | undefined {
  return code === unlistedUnit ? undefined : unitNames[code];
}
