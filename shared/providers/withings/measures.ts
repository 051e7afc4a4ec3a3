// What scales, cuffs, thermometers and watches measured: groups of values taken at one moment.
import * as z from 'zod';
import type { MetricId } from '../../catalog/metrics.ts';
import { withoutNoise } from '../../platform/arithmetic.ts';
import type { DaysAsked } from '../kit/days-asked.ts';
import type { Gathering } from '../kit/gathering.ts';
import type { VendorPage } from '../kit/pages.ts';
import { readItems } from '../kit/read-items.ts';
import { statedOffsetMinutes } from '../kit/stated-offset.ts';
import { latestVersions, WithingsId, WithingsSeconds, withingsItems, withingsNumber, withingsText } from './items.ts';

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

const weight = 1;
const leanMass = 5;
const fatPercentage = 6;
const fatMass = 8;
const hydration = 77;
const oxygen = 54;

/** In Withings' units. Others are scores, segments of the body, or not said to be of what. */
const kinds: Readonly<Record<number, { metric: MetricId; unit: string }>> = {
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
  ...Object.values(kinds).map(({ metric }) => metric),
  'body_water_percentage',
  'blood_oxygen',
] as const satisfies MetricId[];

/** Somebody else's, perhaps, who stood on the same scale; or typed in when the account was made. */
const isDoubtful = (attrib: number | null | undefined): boolean => attrib === 1 || attrib === 4;
/** A goal, not a measurement. */
const goal = 2;

/** Exact: the digits and the power of ten are written down together. */
const measured = ({ value, unit }: z.infer<typeof Measure>): number => Number(`${value}e${unit}`);

interface Measured {
  place: string;
  type: number;
  value: number;
}

/**
 * Nothing that Withings measures is ever zero: a typed-in weight comes with a fat mass and a fat
 * percentage of 0, and with a lean mass that Withings worked out from them, which is the weight.
 */
function withoutUnmeasured(measures: readonly Measured[]): Measured[] {
  const bodyWeight = measures.find(({ type }) => type === weight)?.value;
  const hasNoFat = measures.some(({ type, value }) => (type === fatPercentage || type === fatMass) && value === 0);
  return measures.filter(({ type, value }) => {
    if (type === leanMass && (hasNoFat || value === bodyWeight)) return false;
    return value !== 0;
  });
}

export function gatherWithingsMeasures(gathering: Gathering, pages: readonly VendorPage[], days: DaysAsked): void {
  const groups = latestVersions(
    withingsItems(gathering, pages, { resource: 'measures', list: 'measuregrps', schema: Group }),
    ({ grpid }) => grpid,
  );
  for (const { path, item, body } of groups) {
    if (isDoubtful(item.attrib) || item.category === goal) continue;
    const startMs = item.date * 1000;
    if (!days.holdsInstant(startMs)) continue;
    const zone = item.timezone ?? withingsText.parse(body.timezone);
    gathering.zone(zone, startMs);
    const at = { startMs, offsetMinutes: statedOffsetMinutes(zone, startMs) };
    const measures = withoutUnmeasured(
      readItems(gathering, `${path}.measures`, item.measures, Measure).map((read) => ({
        place: read.path,
        type: read.item.type,
        value: measured(read.item),
      })),
    );
    const bodyWeight = measures.find(({ type }) => type === weight)?.value;
    for (const { place, type, value } of measures) {
      const kind = kinds[type];
      if (kind) gathering.sample(place, kind.metric, at, value, kind.unit);
      // A share or a percentage, by the device.
      if (type === oxygen) gathering.sample(place, 'blood_oxygen', at, value, value <= 1 ? 'fraction' : '%');
      if (type === hydration && bodyWeight)
        gathering.sample(place, 'body_water_percentage', at, withoutNoise((value / bodyWeight) * 100));
    }
  }
}
