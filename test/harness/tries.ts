// How often properties are tried. After every change a few runs do, the same ones each time; the
// deep tests try all of them, with new values each time.

export interface Tries {
  share: number;
  seed?: number;
}
export const allTries: Tries = { share: 1 };
export const fewTries = (share: number): Tries => ({ share, seed: 1 });

export const runs = ({ share, seed }: Tries, all = 100): { numRuns: number; seed?: number } => ({
  numRuns: Math.ceil(share * all),
  ...(seed === undefined ? {} : { seed }),
});
/** How many cases have to be among the runs, of those that have to be among all. */
export const least = ({ share }: Tries, all: number): number => Math.floor(share * all);
