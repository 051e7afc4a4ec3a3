// Spreads rows that everybody writes over several, so that those at work rarely meet.

/** From 0 to `shards` - 1. The last characters of an id are random, so every shard gets about as many. */
export const computeShard = (id: string, shards: number): number =>
  [...id.slice(-2)].reduce((sum, character) => sum + character.charCodeAt(0), 0) % shards;
