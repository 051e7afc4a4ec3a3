// How fast a rebuild finds the days that differ: four devices, sixty metrics, a year of days, from
// table bytes to the difference.

import type { ConsolidationSettings } from '../../../shared/catalog/consolidation-catalog.ts';
import type { MetricId } from '../../../shared/catalog/metrics.ts';
import { createDayComparer } from '../../../shared/consolidation/day-difference.ts';
import { compileMerge } from '../../../shared/consolidation/merge-day.ts';
import type { MergeDevice } from '../../../shared/consolidation/merge-plan.ts';
import { defaultSettings } from '../../../shared/consolidation/settings.ts';
import { packCanonicalRow } from '../../../shared/measurements/codec/canonical-day.ts';
import {
  encodeNormalizedDay,
  type NormalizedValue,
  unpackNormalizedRows,
} from '../../../shared/measurements/codec/normalized-day.ts';
import { realisticDay } from '../../unit/measurements/codec/realistic-day.ts';
import type { Row } from '../row.ts';

const days = 366;
const device = (
  ordinal: number,
  provider: string,
  more: Pick<MergeDevice, 'connection' | 'deviceType'>,
): MergeDevice => ({
  ordinal,
  provider,
  id: `dev_${ordinal}`,
  connectedMs: null,
  ...more,
});
const devices = [
  device(0, 'apple_health', { connection: 'sdk', deviceType: 'phone' }),
  device(1, 'oura', { connection: 'cloud', deviceType: 'ring' }),
  device(2, 'garmin', { connection: 'cloud', deviceType: 'wrist' }),
  device(3, 'withings', { connection: 'cloud', deviceType: 'scale' }),
];
const mixedSettings: ConsolidationSettings = {
  methods: { steps: 'sum', heart_rate: 'avg', sleep: 'avg', active_calories: 'max', blood_pressure: 'max' },
  disabled: [],
  disabledFor: { steps: ['oura'] },
};

function valuesReportedBy(ordinal: number, day: number, inSeconds: boolean): Map<MetricId, NormalizedValue> {
  return new Map(
    Array.from(realisticDay(day * devices.length + ordinal), ([id, { value }]): [MetricId, NormalizedValue] => [
      id,
      inSeconds && id.endsWith('sleep')
        ? { value, stated: true, original: { value: value * 60 + 7, unit: 's' } }
        : { value, stated: ordinal % 2 === 0 },
    ]),
  );
}

/**
 * User-years per second of CPU time, the best of several rounds, because other load on the machine
 * can only lower it.
 */
function yearsPerSecond(settings: ConsolidationSettings, inSeconds: boolean): number {
  const merge = compileMerge(devices, settings);
  const normalized = Array.from({ length: days }, (_, day) =>
    encodeNormalizedDay(new Map(devices.map(({ ordinal }) => [ordinal, valuesReportedBy(ordinal, day, inSeconds)]))),
  );
  const stored = normalized.map((bytes) => packCanonicalRow(merge(unpackNormalizedRows(bytes))));
  const rounds = Array.from({ length: 40 }, () => {
    const years = 20;
    const before = process.cpuUsage();
    let different = 0;
    for (let year = 0; year < years; year++) {
      const difference = createDayComparer(compileMerge(devices, settings));
      for (let day = 0; day < days; day++) if (difference(normalized[day], stored[day])) different++;
    }
    const { user, system } = process.cpuUsage(before);
    if (different > 0) throw new Error(`${different} days differ from themselves`);
    return years / ((user + system) / 1_000_000);
  });
  return Math.max(...rounds);
}

export const measure = async (): Promise<Row[]> => [
  {
    name: 'rebuild, decode to difference, by priority',
    unit: 'user-years/s and core',
    value: yearsPerSecond(defaultSettings, false),
    bound: { min: 500 },
  },
  {
    name: 'rebuild, with originals and other methods',
    unit: 'user-years/s and core',
    value: yearsPerSecond(mixedSettings, true),
  },
];
