// Turns a provider's table of its own names into a lookup of workout types.
import { findWorkoutType, normalizeWord, type WorkoutType } from '../../catalog/workout-types.ts';

/** Every word has a type; unknown words are `other`. */
export type WorkoutTypeLookup = (word: string | number | null | undefined) => WorkoutType;

/**
 * Each line is a workout type and the provider's words for it. The spelling of words (case and
 * separators) is ignored when they are compared. A word that is also in the vocabulary means the
 * same and needs no line.
 */
export function createNameLookup(table: string): WorkoutTypeLookup {
  const rows = parseTable(table, normalizeWord);
  return (rawName) => {
    const word = String(rawName ?? '');
    return rows.get(normalizeWord(word)) ?? findWorkoutType(word) ?? 'other';
  };
}

/** The same for numeric codes, which are not in the vocabulary. */
export function createCodeLookup(table: string): WorkoutTypeLookup {
  const rows = parseTable(table, (code) => code);
  return (code) => rows.get(String(code ?? '')) ?? 'other';
}

function parseTable(table: string, toKey: (word: string) => string): Map<string, WorkoutType> {
  const rows = new Map<string, WorkoutType>();
  for (const line of table.trim().split('\n')) {
    const [head = '', words = ''] = line.split(':');
    const type = findWorkoutType(head);
    if (!type) throw new Error(`${head} is not a workout type`);
    for (const word of words.trim().split(' ')) rows.set(toKey(word), type);
  }
  return rows;
}
