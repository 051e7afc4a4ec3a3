// Compares daily columns with the model: every metric on every day, its unit, its source and its
// contributors.
import { fits, fitsUnrounded, fitsWritten, formatExpected, type Mismatch } from './compare.ts';
import { type DayValue, dayValue } from './day-value.ts';
import type { Share } from './merge-day.ts';
import { type Metric, metrics, precisionIn } from './metric-table.ts';
import { absolute, compare, isZero } from './rational.ts';
import { canonicalUnit, convert, convertSpan } from './units.ts';
import type { View } from './view.ts';

interface Source {
  provider: string;
  device_id: string;
  original_value: number;
  original_unit: string;
  contributors?: { device_id: string; provider: string; value: number }[];
}
export interface DailyBody {
  dates: string[];
  series: Record<string, (number | null)[]>;
  units?: Record<string, string>;
  sources?: Record<string, (Source | null)[]>;
}

export function dailyMismatches(view: View, body: DailyBody, imperial: boolean): Mismatch[] {
  const found: Mismatch[] = [];
  for (const metric of metrics) {
    const unit = imperial ? metric.imperialUnit : metric.unit;
    if (body.units && body.units[metric.id] !== unit)
      found.push({ where: `units.${metric.id}`, got: body.units[metric.id], expected: unit });
    for (const [at, date] of body.dates.entries()) {
      const expected = dayValue(view, metric.id, date);
      const got = body.series[metric.id]?.[at];
      const where = `${metric.id} on ${date} in ${unit}`;
      const wrong = valueMismatch(where, metric, unit, expected, got);
      if (wrong) found.push(wrong);
      else if (body.sources)
        found.push(...sourceMismatches(where, metric, unit, expected, body.sources[metric.id]?.[at]));
    }
  }
  return found;
}

function valueMismatch(
  where: string,
  metric: Metric,
  requestedUnit: string,
  expected: DayValue | null,
  got: number | null | undefined,
): Mismatch | null {
  const { unit } = metric;
  const precision = precisionIn(metric, requestedUnit);
  if (expected === null || typeof got !== 'number')
    return expected === null && got === null
      ? null
      : {
          where,
          got,
          expected:
            expected === null
              ? 'null'
              : formatExpected(convert(expected.value, unit, requestedUnit), expected.tolerance, precision),
        };
  const value = convert(expected.value, unit, requestedUnit);
  const tolerance = convertSpan(expected.tolerance, unit, requestedUnit);
  return fits(got, value, tolerance, precision)
    ? null
    : { where, got, expected: formatExpected(value, tolerance, precision) };
}

function sourceMismatches(
  where: string,
  metric: Metric,
  unit: string,
  expected: DayValue | null,
  got: Source | null | undefined,
): Mismatch[] {
  if (!expected || !got)
    return expected === got
      ? []
      : [{ where: `source of ${where}`, got, expected: expected && describeSource(expected.source) }];
  const candidates = expected.possibleSources.filter(
    ({ device }) => device.id === got.device_id && device.provider === got.provider,
  );
  if (!candidates.some((share) => originalFits(share, metric, got)))
    return [
      {
        where: `source of ${where}`,
        got: { ...got, contributors: undefined },
        expected: describeSource(expected.source),
      },
    ];
  return contributorMismatches(where, metric, unit, expected, got.contributors);
}

function originalFits(share: Share, metric: Metric, { original_value, original_unit }: Source): boolean {
  const originalUnit = canonicalUnit(original_unit);
  const ofAll = share.deviceTotal ?? share.original;
  if (originalUnit === share.unit && fitsWritten(original_value, share.original, share.originalTolerance, ofAll))
    return true;
  // Coarse merging affects which samples count, and therefore in which units.
  const mayBeMixed = share.mayMixUnits || !isZero(share.tolerance);
  return mayBeMixed && originalUnit === metric.unit && fitsUnrounded(original_value, share.value, share.tolerance);
}

function contributorMismatches(
  where: string,
  metric: Metric,
  unit: string,
  { contributors, possibleContributors: mayContribute, tolerance }: DayValue,
  got: Source['contributors'],
): Mismatch[] {
  const fitsShare = (share: Share, { device_id, provider, value }: NonNullable<typeof got>[number]): boolean =>
    share.device.id === device_id &&
    share.device.provider === provider &&
    fits(
      value,
      convert(share.value, metric.unit, unit),
      convertSpan(share.tolerance, metric.unit, unit),
      precisionIn(metric, unit),
    );
  const wrong = [
    {
      where: `contributors of ${where}`,
      got,
      expected: contributors?.map((share) => [
        share.device.id,
        formatExpected(convert(share.value, metric.unit, unit), share.tolerance, precisionIn(metric, unit)),
      ]),
    },
  ];
  if (isZero(tolerance)) {
    if (got?.length !== contributors?.length) return wrong;
    return (got ?? []).every((each, at) => contributors?.[at] && fitsShare(contributors[at], each)) ? [] : wrong;
  }
  // Coarse merging may raise a share from zero or reduce it to zero, so only the shares that are
  // present can be checked.
  const certain = mayContribute.filter((share) => compare(absolute(share.value), share.tolerance) > 0);
  const isListed = (share: Share): boolean => (got ?? []).some((each) => each.device_id === share.device.id);
  const fitting = (got ?? []).every((each) => mayContribute.some((share) => fitsShare(share, each)));
  return fitting && (contributors === null || certain.length < 2 || certain.every(isListed)) ? [] : wrong;
}

const describeSource = ({ device, original, unit }: Share) => ({
  provider: device.provider,
  device_id: device.id,
  original: formatExpected(original, { numerator: 0n, denominator: 1n }, 6),
  unit,
});
