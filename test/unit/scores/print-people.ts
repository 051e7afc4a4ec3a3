// `node test/unit/scores/print-people.ts [seed]`: the year of every simulated person as a chart in text.
import { people } from './people.ts';
import { chartOf } from './scored-year.ts';

process.stdout.write(`${chartOf(people, Number(process.argv[2] ?? 1))}\n`);
