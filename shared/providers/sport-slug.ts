// A vendor's name of a sport as our workouts write it: lower case, words joined by underscores.

/** Nothing that is left of a name is some workout. */
export const sportSlug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '') || 'workout';
