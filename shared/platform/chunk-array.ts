export const chunkArray = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_none, index) =>
    items.slice(index * size, (index + 1) * size),
  );

/**
 * A number from 0 to `shards` - 1. The last characters of an id are random, so the shards are about
 * equally large.
 */
export const computeShard = (id: string, shards: number): number =>
  [...id.slice(-2)].reduce((sum, character) => sum + character.charCodeAt(0), 0) % shards;
