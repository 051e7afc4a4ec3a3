// How often properties are tried. After every change a few runs do, the same ones each time; the
// deep tests try all of them, with new values each time.

export interface RunScale {
  share: number;
  seed?: number;
}
export const allRuns: RunScale = { share: 1 };
export const fewRuns = (share: number): RunScale => ({ share, seed: 1 });

export const runOptions = ({ share, seed }: RunScale, all = 100): { numRuns: number; seed?: number } => ({
  numRuns: Math.ceil(share * all),
  ...(seed === undefined ? {} : { seed }),
});
/** How many cases have to be among the runs, of those that have to be among all. */
export const minCases = ({ share }: RunScale, all: number): number => Math.floor(share * all);
