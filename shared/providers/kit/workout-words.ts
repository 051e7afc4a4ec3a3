// How a provider's table of its own words becomes workout types.
import { namedWorkoutType, type WorkoutType, wordKey } from '../../catalog/workout-types.ts';

/** Any word has a type: `other` is of those that nobody knows. */
export type TypeOfWord = (word: string | number | null | undefined) => WorkoutType;

/**
 * Each line is a workout type and the provider's words for it. Words are compared however they are
 * written. A word that the vocabulary has too means the same and needs no line.
 */
export function workoutWords(table: string): TypeOfWord {
  const rows = rowsOf(table, wordKey);
  return (given) => {
    const word = String(given ?? '');
    return rows.get(wordKey(word)) ?? namedWorkoutType(word) ?? 'other';
  };
}

/** The same of numbers, which the vocabulary does not have. */
export function workoutCodes(table: string): TypeOfWord {
  const rows = rowsOf(table, (code) => code);
  return (code) => rows.get(String(code ?? '')) ?? 'other';
}

function rowsOf(table: string, keyOf: (word: string) => string): Map<string, WorkoutType> {
  const rows = new Map<string, WorkoutType>();
  for (const line of table.trim().split('\n')) {
    const [head = '', words = ''] = line.split(':');
    const type = namedWorkoutType(head);
    if (!type) throw new Error(`${head} is not a workout type`);
    for (const word of words.trim().split(' ')) rows.set(keyOf(word), type);
  }
  return rows;
}
