// Spreads frequently written rows over several shards, so that concurrent writers rarely conflict.

/**
 * A number from 0 to `shards` - 1. The last characters of an id are random, so the shards are about
 * equally large.
 */
export const computeShard = (id: string, shards: number): number =>
  [...id.slice(-2)].reduce((sum, character) => sum + character.charCodeAt(0), 0) % shards;
