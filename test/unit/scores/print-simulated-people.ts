// `node test/unit/scores/print-simulated-people.ts [seed]`: the year of every simulated person as a chart in text.

import { chartOf } from './scored-year.ts';
import { people } from './simulated-people.ts';

process.stdout.write(`${chartOf(people, Number(process.argv[2] ?? 1))}\n`);
