// A value with its unit, in the precision of the catalog.
import type { Schemas } from '../api/client.ts';
import { formatMinutes, formatNumber } from './format.ts';

const plainUnits: ReadonlySet<string> = new Set(['count', 'score']);

export function formatValue(value: number, { unit, precision }: Pick<Schemas['Metric'], 'unit' | 'precision'>): string {
  if (unit === 'min' && value >= 60) return formatMinutes(value);
  const number = formatNumber(value, precision);
  return plainUnits.has(unit) ? number : `${number} ${unit}`;
}
