// `npm run bench`: measures every row, prints them as a table and writes them to .daybook/bench.json. Words after -- choose rows
// by file name; `scale --people=20000 --accounts=1 --shards=60` makes the simulated deployment larger.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { holdText, isKept, type Measure, type Row, table } from './row.ts';

const folder = new URL('./rows/', import.meta.url);
const output = fileURLToPath(new URL('../../.daybook/bench.json', import.meta.url));
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const files = readdirSync(folder)
  .filter((file) => wanted.length === 0 || wanted.some((word) => file.includes(word)))
  .sort();

const rows: Row[] = [];
for (const file of files) {
  process.stderr.write(`measuring ${file.replace('.ts', '')}\n`);
  const { measure }: { measure: Measure } = await import(new URL(file, folder).href);
  rows.push(...(await measure()));
}

mkdirSync(new URL('../../.daybook/', import.meta.url), { recursive: true });
const written = rows.map((row) => ({ name: row.name, unit: row.unit, value: row.value, hold: holdText(row) }));
writeFileSync(output, `${JSON.stringify(written, null, 2)}\n`);
process.stdout.write(`${table(rows)}\n`);
const broken = rows.filter((row) => !isKept(row)).length;
if (broken > 0) process.stderr.write(`${broken} of ${rows.length} rows do not hold\n`);
process.exitCode = broken > 0 ? 1 : 0;
