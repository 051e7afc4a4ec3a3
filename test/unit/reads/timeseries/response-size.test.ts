// A list of samples fits into a function's response, without compression and however long its rows
// are: every metric, unit, offset and source is tried for the longest one.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { acceptedUnits, type SampleId, sampleIds, sampleRow } from '../../../../shared/catalog/metrics.ts';
import { providerIds } from '../../../../shared/catalog/provider.ts';
import { fitsAsText } from '../../../../shared/http/response-size.ts';
import { addDays, dayBounds } from '../../../../shared/platform/time/local-day.ts';
import { presentValue } from '../../../../shared/reads/kit/present-value.ts';
import type { UnitSystem } from '../../../../shared/reads/kit/read-parameters.ts';
import { form2Timeseries } from '../../../../shared/reads/timeseries/form-2.ts';
import type { SampleResult, SamplesResult } from '../../../../shared/reads/timeseries/read-timeseries.ts';
import { deviceRow } from '../../../harness/stored-data.ts';

const longestText = <Value>(values: readonly Value[]): Value =>
  values.reduce((longest, value) => (String(value).length > String(longest).length ? value : longest));

const device = deviceRow({ id: 'dev_01k9p3w4d6f8h0k2n4q6s8v0x2', provider: longestText(providerIds) });
/** A double takes no more characters than this one. */
const longestNumber = 0.0000012345678901234567;

function findLongestValue(metric: SampleId, unitSystem: UnitSystem): number {
  const [min, max] = sampleRow(metric).range;
  const values = Array.from({ length: 500 }, (_, at) => max - ((max - min) * at * Math.SQRT1_2) / 500);
  return values.reduce((longest, value) =>
    String(presentValue(metric, value, unitSystem)).length > String(presentValue(metric, longest, unitSystem)).length
      ? value
      : longest,
  );
}

interface Rendering {
  metric: SampleId;
  sample: SampleResult;
  unit_system: UnitSystem;
}
const renderings: readonly Rendering[] = sampleIds.flatMap((metric) =>
  (['metric', 'imperial'] as const).flatMap((unit_system) =>
    acceptedUnits(metric).map((unit) => ({
      metric,
      unit_system,
      sample: {
        device,
        startMs: Date.UTC(2026, 2, 14),
        value: findLongestValue(metric, unit_system),
        original: { value: longestNumber, unit },
        offsetMinutes: 345,
      },
    })),
  ),
);

const day = { from: '2026-03-14', to: '2026-03-14' };
const render = ({ metric, sample, unit_system }: Rendering, count: number, include_sources: boolean): Buffer => {
  const samples = Array.from({ length: count }, () => sample);
  const body = form2Timeseries.render(
    { shape: 'samples', zone: null, range: day, isComplete: true, byMetric: [{ metric, samples }] },
    {
      unit_system,
      include_sources,
    },
  );
  return Buffer.from(JSON.stringify(body));
};
const json = new Headers({ 'content-type': 'application/json' });

/** Quotes are escaped in the result of a function. */
const sizeInResult = (bytes: Buffer): number => bytes.length + bytes.filter((byte) => byte === 0x22).length;

test.each([
  ['without sources', false, 40_000],
  ['with sources', true, 19_000],
])('the longest samples %s fit up to the limit, and not many more would', (_name, include_sources, maxSamples) => {
  const sizes = renderings.map((each) => sizeInResult(render(each, 1, include_sources)));
  const longest = renderings[sizes.indexOf(Math.max(...sizes))];
  if (longest === undefined) throw new Error('there are no metrics');
  const most = render(longest, maxSamples, include_sources);
  expect(fitsAsText(most, json)).toBe(true);
  const rows = most.subarray(most.indexOf('['));
  expect(fitsAsText(Buffer.concat([most, rows.subarray(0, Math.floor(rows.length / 25))]), json)).toBe(false);
  expect(() => render(longest, maxSamples + 1, include_sources)).toThrow(
    `the first day alone has ${maxSamples + 1} samples, but the limit is ${maxSamples}; `,
  );
});

test.each([
  ['one metric', 1, 'read the day in steps, with metric, date and resolution'],
  ['several metrics', 2, 'request fewer metrics'],
])('a day with too many samples of %s is rejected with advice that can be followed', (_name, metrics, advice) => {
  const sample = { device, startMs: Date.UTC(2026, 2, 14), value: 60, original: undefined, offsetMinutes: null };
  const samples = Array.from({ length: 40_001 }, () => sample);
  const byMetric = (['heart_rate', 'respiratory_rate'] as const)
    .slice(0, metrics)
    .map((metric, at) => ({ metric, samples: at === 0 ? samples : [] }));
  const found = {
    shape: 'samples',
    zone: null,
    range: { from: day.from, to: '2026-03-15' },
    isComplete: true,
  } as const;
  expect(() => form2Timeseries.render({ ...found, byMetric }, { include_sources: false })).toThrow(
    `the first day alone has 40001 samples, but the limit is 40000; ${advice}.`,
  );
});

test('for any samples on any days, the error names the longest range that fits', () => {
  const zones = fc.constantFrom(null, 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata');
  const counts = fc.array(fc.nat({ max: 15_000 }), { minLength: 2, maxLength: 8 });
  fc.assert(
    fc.property(zones, counts, fc.boolean(), (zone, perDay, isComplete) => {
      // Around a change of clocks in Europe.
      const from = '2026-03-26';
      const range = { from, to: addDays(from, perDay.length - 1) };
      const samples = perDay.flatMap((count, at): SampleResult[] => {
        const { startMs, endMs } = dayBounds(addDays(from, at), zone);
        return Array.from({ length: count }, (_none, n) => ({
          ...{ device, value: 60, original: undefined, offsetMinutes: null },
          startMs: n % 2 === 0 ? startMs : endMs - 1,
        }));
      });
      let days = 0;
      for (let total = 0; days < perDay.length; days++) {
        total += perDay[days] ?? 0;
        if (total > 40_000) break;
      }
      const found: SamplesResult = {
        ...{ shape: 'samples', zone, range, isComplete },
        byMetric: [{ metric: 'heart_rate', samples }],
      };
      const rendered = () => form2Timeseries.render(found, { include_sources: false });
      if (days === perDay.length && isComplete) expect(rendered).not.toThrow();
      else if (days === 0) expect(rendered).toThrow('the first day alone has');
      else expect(rendered).toThrow(`the longest range that fits is ${from} to ${addDays(from, days - 1)}.`);
    }),
    { numRuns: 30 },
  );
});
