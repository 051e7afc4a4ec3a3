// Measurements of scales, blood pressure monitors, thermometers and watches: groups of values taken
// at one moment.
import * as z from 'zod';
import type { MetricId } from '../../catalog/metrics.ts';
import { removeFloatNoise } from '../../platform/arithmetic.ts';
import { namedZoneOffsetMinutes } from '../kit/local-day-of-instant.ts';
import type { ProviderPage } from '../kit/provider-pages.ts';
import { readItems } from '../kit/read-items.ts';
import type { RecordBuilder } from '../kit/record-builder.ts';
import type { RequestedDays } from '../kit/requested-days.ts';
import {
  keepLatestVersions,
  readWithingsItems,
  WithingsId,
  WithingsSeconds,
  withingsNumber,
  withingsText,
} from './items.ts';

const Measure = z.looseObject({ value: z.number(), type: z.number(), unit: z.number().int().min(-12).max(12) });
const Group = z.looseObject({
  grpid: WithingsId,
  attrib: withingsNumber,
  category: withingsNumber,
  date: WithingsSeconds,
  modified: withingsNumber,
  timezone: withingsText,
  measures: z.array(z.unknown()),
});

const weightType = 1;
const leanMassType = 5;
const fatPercentageType = 6;
const fatMassType = 8;
const hydrationType = 77;
const oxygenType = 54;

/** In Withings' units. Other types are scores, segments of the body, or undocumented. */
const measureKinds: Readonly<Record<number, { metric: MetricId; unit: string }>> = {
  1: { metric: 'weight', unit: 'kg' },
  4: { metric: 'height', unit: 'm' },
  5: { metric: 'lean_body_mass', unit: 'kg' },
  6: { metric: 'body_fat_percentage', unit: '%' },
  8: { metric: 'fat_mass', unit: 'kg' },
  9: { metric: 'blood_pressure_diastolic', unit: 'mmHg' },
  10: { metric: 'blood_pressure_systolic', unit: 'mmHg' },
  11: { metric: 'heart_rate', unit: 'bpm' },
  71: { metric: 'body_temperature', unit: '°C' },
  73: { metric: 'skin_temperature', unit: '°C' },
  76: { metric: 'muscle_mass', unit: 'kg' },
  88: { metric: 'bone_mass', unit: 'kg' },
  123: { metric: 'vo2_max', unit: 'mL/kg/min' },
};

export const withingsMeasureMetrics = [
  ...Object.values(measureKinds).map(({ metric }) => metric),
  'body_water_percentage',
  'blood_oxygen',
] as const satisfies MetricId[];

/**
 * The measurement may belong to someone else who uses the same scale, or was entered when the
 * account was created.
 */
const isDoubtful = (attrib: number | null | undefined): boolean => attrib === 1 || attrib === 4;
/** A goal, not a measurement. */
const goalCategory = 2;

/** Exact, because the digits and the power of ten are parsed together. */
const toNumber = ({ value, unit }: z.infer<typeof Measure>): number => Number(`${value}e${unit}`);

interface MeasuredValue {
  path: string;
  type: number;
  value: number;
}

/**
 * Withings never measures a zero. A weight that is entered by hand comes with a fat mass and a fat
 * percentage of 0, and with a lean mass that Withings derives from them, which equals the weight.
 */
function dropUnmeasured(measures: readonly MeasuredValue[]): MeasuredValue[] {
  const bodyWeight = measures.find(({ type }) => type === weightType)?.value;
  const hasNoFat = measures.some(
    ({ type, value }) => (type === fatPercentageType || type === fatMassType) && value === 0,
  );
  return measures.filter(({ type, value }) => {
    if (type === leanMassType && (hasNoFat || value === bodyWeight)) return false;
    return value !== 0;
  });
}

export function addWithingsMeasures(builder: RecordBuilder, pages: readonly ProviderPage[], days: RequestedDays): void {
  const groups = keepLatestVersions(
    readWithingsItems(builder, pages, { resource: 'measures', list: 'measuregrps', schema: Group }),
    ({ grpid }) => grpid,
  );
  for (const { path, item, body } of groups) {
    if (isDoubtful(item.attrib) || item.category === goalCategory) continue;
    const startMs = item.date * 1000;
    if (!days.includesInstant(startMs)) continue;
    const zone = item.timezone ?? withingsText.parse(body.timezone);
    builder.setZone(zone, startMs);
    const at = { startMs, offsetMinutes: namedZoneOffsetMinutes(zone, startMs) };
    const measures = dropUnmeasured(
      readItems(builder, `${path}.measures`, item.measures, Measure).map((read) => ({
        path: read.path,
        type: read.item.type,
        value: toNumber(read.item),
      })),
    );
    const bodyWeight = measures.find(({ type }) => type === weightType)?.value;
    for (const { path: valuePath, type, value } of measures) {
      const kind = measureKinds[type];
      if (kind) builder.addSample(valuePath, kind.metric, at, value, kind.unit);
      // A fraction or a percentage, depending on the device.
      if (type === oxygenType) builder.addSample(valuePath, 'blood_oxygen', at, value, value <= 1 ? 'fraction' : '%');
      if (type === hydrationType && bodyWeight)
        builder.addSample(valuePath, 'body_water_percentage', at, removeFloatNoise((value / bodyWeight) * 100));
    }
  }
}
