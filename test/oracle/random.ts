// Random choices from one integer: the same seed gives the same scenario, on every machine and at
// any time.

export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** Both ends are inclusive. */
  int(low: number, high: number): number;
  between(low: number, high: number): number;
  chance(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** `[weight, item]` */
  weighted<Item>(items: readonly (readonly [number, Item])[]): Item;
  shuffled<Item>(items: readonly Item[]): Item[];
}

export function randomFrom(seed: number): Random {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  // Mulberry32.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  const random: Random = {
    next,
    int,
    between: (low, high) => low + next() * (high - low),
    chance: (share) => next() < share,
    pick: (items) => itemAt(items, int(0, items.length - 1)),
    weighted(items) {
      let left = next() * items.reduce((all, [weight]) => all + weight, 0);
      const found = items.find(([weight]) => {
        left -= weight;
        return left < 0;
      });
      return itemAt(found ? [found] : items, 0)[1];
    },
    shuffled(items) {
      const left = [...items];
      return items.map(() => itemAt(left.splice(int(0, left.length - 1), 1), 0));
    },
  };
  next();
  return random;
}

function itemAt<Item>(items: readonly Item[], at: number): Item {
  const [found] = items.slice(at, at + 1).map((item) => ({ item }));
  if (!found) throw new Error('there is nothing to choose from');
  return found.item;
}
