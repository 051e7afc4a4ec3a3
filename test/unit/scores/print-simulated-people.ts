// `node test/unit/scores/print-simulated-people.ts [seed]` prints the year of every simulated
// person as a text chart.

import { chartOf } from './scored-year.ts';
import { people } from './simulated-people.ts';

process.stdout.write(`${chartOf(people, Number(process.argv[2] ?? 1))}\n`);
