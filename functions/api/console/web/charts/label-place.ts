// Where the name of a tick stands below its chart: centred, except where an edge would cut it off.

const edgePercent = 5;

export const placeLabel = (percent: number): { left: string; transform: string } => ({
  left: `${percent}%`,
  transform: `translateX(${percent < edgePercent ? 0 : percent > 100 - edgePercent ? -100 : -50}%)`,
});
