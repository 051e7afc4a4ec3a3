// Finds the name that somebody meant who wrote another one: `fromdate` for `from_date`.

/** A longer name is not compared, so that a request cannot cost much by its length. */
const maxComparedLength = 64;
const minContainedLength = 3;

/** Of several names that are equally near, the first one. */
export function findNearestName(input: string, names: readonly string[]): string | undefined {
  if (input.length > maxComparedLength) return undefined;
  let nearest: { name: string; distance: number } | undefined;
  for (const name of names) {
    const distance = compareNames(input, name);
    if (distance !== undefined && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY))
      nearest = { name, distance };
  }
  return nearest?.name;
}

/** Undefined if the names are not near. A misspelling is nearer than a name that is part of the other. */
function compareNames(input: string, name: string): number | undefined {
  const [inputWords, words] = [splitWords(input), splitWords(name)];
  const [inputLetters, letters] = [inputWords.join(''), words.join('')];
  if (inputLetters === letters || [...inputWords].sort().join() === [...words].sort().join()) return 0;
  const [inputEnd, end] = dropSameFirstWord(inputWords, words);
  const edits = countEdits(inputEnd.join(''), end.join(''));
  const [shorterEnd, longerEnd] = sortByLength(inputEnd.join(''), end.join(''));
  if (edits <= Math.max(1, Math.floor(shorterEnd.length / 3))) return edits;
  const [shorter, longer] = sortByLength(inputLetters, letters);
  const isContained = shorter.length >= minContainedLength && longer.includes(shorter);
  const isSameStart = end.length < words.length && edits <= Math.floor(longerEnd.length / 2);
  const isRelated = isContained || isSameStart || inputEnd.some((word) => end.includes(word));
  return isRelated ? maxComparedLength : undefined;
}

/** The first word says little: `include_stages` does not mean `include_sources`. */
const dropSameFirstWord = (a: string[], b: string[]): [string[], string[]] =>
  a.length > 1 && b.length > 1 && a[0] === b[0] ? [a.slice(1), b.slice(1)] : [a, b];

const sortByLength = (a: string, b: string): [shorter: string, longer: string] =>
  a.length < b.length ? [a, b] : [b, a];

/** In lower case, so that `fromDate` and `FROM-DATE` have the letters of `from_date`. */
const splitWords = (name: string): string[] => name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Insertions, deletions, substitutions and swaps of neighbors that turn one text into the other. */
export function countEdits(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitutionCost = at(previous, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapCost = isSwap ? at(beforePrevious, j - 2) + 1 : substitutionCost;
      current.push(Math.min(at(previous, j) + 1, at(current, j - 1) + 1, substitutionCost, swapCost));
    }
    [beforePrevious, previous] = [previous, current];
  }
  return at(previous, b.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY;
