import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { consoleTypes, generateConsoleTypes, generatedTypesFolder } from './console-types.ts';

test.each(consoleTypes)('$file is what the contract generates (npm run types:console writes it anew)', (each) => {
  expect(generateConsoleTypes(each)).toBe(readFileSync(path.join(generatedTypesFolder, each.file), 'utf8'));
});
