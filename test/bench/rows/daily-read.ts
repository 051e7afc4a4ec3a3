// The daily read of a year, and of 90 days as rows: CPU time from packed days to JSON text relative
// to JSON.stringify alone, and the read units of the query.

import { startLocalTable } from '../../../infra/local/local-table.ts';
import { mergeRule } from '../../../shared/catalog/merge-rule.ts';
import { encodeCanonicalDay } from '../../../shared/measurements/codec/canonical-day.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import { addDays, datesInRange } from '../../../shared/platform/time/local-day.ts';
import { type DailyColumns, decodeDailyColumns } from '../../../shared/reads/daily/daily-columns.ts';
import { form1Daily } from '../../../shared/reads/daily/form-1.ts';
import { formatSeries } from '../../../shared/reads/daily/form-2.ts';
import { storeOn } from '../../harness/store-on.ts';
import { realisticDay } from '../../unit/measurements/codec/realistic-day.ts';
import { type Measure, median } from '../row.ts';

const runs = 300;
const to = '2026-03-14';
const user = 'usr_01k9p3w0b1c3e5g7j9m1p3r5t7';

export const measure: Measure = async () => [
  textRow('daily read of 366 x 60', 366, (columns) => `{${formatSeries(columns, 'metric')}}`),
  textRow(
    'daily rows of 90 x 60',
    90,
    (columns) => form1Daily.render({ ...columns, sources: undefined }, anyRows).text,
  ),
  ...(await unitRows()),
];

const anyRows = { start_date: to, end_date: to, include_sources: false };

function textRow(name: string, length: number, textOf: (columns: DailyColumns) => string) {
  const range = { from: addDays(to, 1 - length), to };
  const days = new Map(
    datesInRange(range.from, to).map((date, seed) => [date, { packed: encodeCanonicalDay(realisticDay(seed)) }]),
  );
  const metrics = [...realisticDay(0).keys()];
  const direct = () => textOf(decodeDailyColumns(range, metrics, days));
  const body: unknown = JSON.parse(direct());
  const [ours, plain]: [number[], number[]] = [[], []];
  // The two are interleaved, so that load on the machine slows both. Each text is also encoded to
  // bytes, because strings may be built lazily.
  for (let run = 0; run < runs; run++) {
    ours.push(timeOf(direct));
    plain.push(timeOf(() => JSON.stringify(body)));
  }
  return {
    name: `${name}: packed days to text`,
    unit: 'x JSON.stringify',
    value: median(ours) / median(plain),
    bound: { max: 3 },
  };
}

function timeOf(make: () => string): number {
  const start = performance.now();
  Buffer.from(make());
  return performance.now() - start;
}

async function unitRows() {
  let units = 0;
  const localTable = await startLocalTable({
    dataDir: 'memory',
    env: { PATH: process.env['PATH'] },
    meter: ({ readUnits }) => {
      units += readUnits;
    },
  });
  try {
    const days = dayRows(storeOn(localTable.table));
    for (const [seed, date] of datesInRange(addDays(to, -365), to).entries())
      await days.replaceCanonical(user, {
        date,
        packed: encodeCanonicalDay(realisticDay(seed)),
        revisionSum: 1,
        generation: 0,
        mergeRule,
      });
    const rows = [];
    for (const [length, max] of [
      [30, 1],
      [366, 8],
    ] as const) {
      units = 0;
      let dayCount = 0;
      for await (const _day of days.iterateCanonical(user, addDays(to, 1 - length), to)) dayCount++;
      if (dayCount !== length) throw new Error(`found ${dayCount} days of ${length}`);
      rows.push({ name: `daily read of ${length} x 60`, unit: 'read units', value: units, bound: { max } });
    }
    return rows;
  } finally {
    await localTable.stop();
  }
}
