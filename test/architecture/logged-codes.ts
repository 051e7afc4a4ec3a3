// Reads from the source which codes each file logs, and which files a function consists of.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Import, sourceFiles } from './imports.ts';

const logCall = /(?<!console\.|Math\.)\blog\(\s*([^,()]+),\s*([^,()]+?)\s*[,)]/g;
const quotedCode = /'([a-z_]+)'/g;

/**
 * Returns the codes in the second argument of every log call. Throws for a call whose code is neither
 * written there nor in a constant of the same file.
 */
export function parseLoggedCodes(file: string, text: string): string[] {
  return [...text.matchAll(logCall)].flatMap(([call, , argument = '']) => {
    const value = /^\w+$/.test(argument) ? constantIn(text, argument) : argument;
    // A condition comes before the codes that it chooses from.
    const codes = [...value.slice(value.indexOf('?') + 1).matchAll(quotedCode)].map(([, code = '']) => code);
    if (codes.length === 0) throw new Error(`${file}: the code of this call is unknown: ${call}`);
    return codes;
  });
}

const constantIn = (text: string, name: string): string => new RegExp(`const ${name} =([^;]*);`).exec(text)?.[1] ?? '';

export const readLoggedCodes = (root: string): Map<string, string[]> =>
  new Map(sourceFiles(root).map((file) => [file, parseLoggedCodes(file, readFileSync(join(root, file), 'utf8'))]));

/** The entry of a function and every file that it imports for more than types. */
export function filesOfFunction(entry: string, imports: readonly Import[]): Set<string> {
  const importsByFile = Map.groupBy(
    imports.filter(({ typeOnly }) => !typeOnly),
    ({ from }) => from,
  );
  const found = new Set([entry]);
  for (const file of found) for (const { to } of importsByFile.get(file) ?? []) found.add(to);
  return found;
}
