// How often property tests run. After every change, a few runs with a fixed seed are enough. The
// deep tests make all runs, with new values each time.

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
/** The minimum number of cases among the runs, given the minimum among all runs. */
export const minCases = ({ share }: RunScale, all: number): number => Math.floor(share * all);
