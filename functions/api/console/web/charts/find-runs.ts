// The days of a chart by the device that measured them.

interface Run {
  id: string;
  first: number;
  last: number;
}

/** The runs of days that one device measured. */
export function findRuns(deviceIds: readonly (string | null)[]): Run[] {
  const runs: Run[] = [];
  for (const [at, id] of deviceIds.entries()) {
    const run = runs.at(-1);
    if (id !== null && run?.id === id && run.last === at - 1) run.last = at;
    else if (id !== null) runs.push({ id, first: at, last: at });
  }
  return runs;
}
