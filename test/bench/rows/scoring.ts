// The CPU time of scoring one changed day and the days it affects, from canonical days in memory.
// For information only, because machines differ.
import { createScorer, reachDays } from '../../../shared/scores/day-scores.ts';
import { dateOf, simulatedDays } from '../../unit/scores/simulated-days.ts';
import { steady } from '../../unit/scores/simulated-people.ts';
import { type Measure, median } from '../row.ts';

const rounds = 200;

export const measure: Measure = async () => {
  const days = simulatedDays(steady, 1);
  const spent = Array.from({ length: rounds }, (_none, round) => {
    const before = process.cpuUsage();
    const { scoreDay: on } = createScorer(days, steady.profile);
    for (let day = round; day <= round + reachDays; day++) on(dateOf(day % 300));
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return [
    {
      name: `scoring a changed day and the ${reachDays} it reaches`,
      unit: 'us CPU',
      value: median(spent.slice(rounds / 2)),
    },
  ];
};
