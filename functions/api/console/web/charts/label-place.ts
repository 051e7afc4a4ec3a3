// Where the name of a tick stands below its chart: centred, except where an edge would cut it off.

/** Half of the longest name, in percent of the narrowest chart. */
export const edgePercent = { ofHours: 5, ofMinutes: 15 } as const;

export const placeLabel = (percent: number, edge: number): { left: string; transform: string } => ({
  left: `${percent}%`,
  transform: `translateX(${percent < edge ? 0 : percent > 100 - edge ? -100 : -50}%)`,
});
