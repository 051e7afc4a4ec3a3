// `npm run bench`: measures every row, prints the rows as a table and writes them to
// .daybook/bench.json. Arguments after -- select rows by file name. `scale --people=20000
// --accounts=1 --shards=60` makes the simulated deployment larger.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { boundText, formatTable, isWithinBound, type Measure, type Row } from './row.ts';

const folder = new URL('./rows/', import.meta.url);
const output = fileURLToPath(new URL('../../.daybook/bench.json', import.meta.url));
const filters = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const files = readdirSync(folder)
  .filter((file) => filters.length === 0 || filters.some((word) => file.includes(word)))
  .sort();

const rows: Row[] = [];
for (const file of files) {
  process.stderr.write(`measuring ${file.replace('.ts', '')}\n`);
  const { measure }: { measure: Measure } = await import(new URL(file, folder).href);
  rows.push(...(await measure()));
}

mkdirSync(new URL('../../.daybook/', import.meta.url), { recursive: true });
const outputRows = rows.map((row) => ({ name: row.name, unit: row.unit, value: row.value, hold: boundText(row) }));
writeFileSync(output, `${JSON.stringify(outputRows, null, 2)}\n`);
process.stdout.write(`${formatTable(rows)}\n`);
const failedCount = rows.filter((row) => !isWithinBound(row)).length;
if (failedCount > 0) process.stderr.write(`${failedCount} of ${rows.length} rows are out of bounds\n`);
process.exitCode = failedCount > 0 ? 1 : 0;
