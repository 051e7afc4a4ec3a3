// Writes the types of the console's clients anew. Run it after a change of the contract.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { consoleTypes, generateConsoleTypes, generatedTypesFolder } from './console-types.ts';
import { installNpmPackages } from './generators.ts';

installNpmPackages((line) => console.log(`· ${line}`));
mkdirSync(generatedTypesFolder, { recursive: true });
for (const each of consoleTypes) {
  writeFileSync(path.join(generatedTypesFolder, each.file), generateConsoleTypes(each));
  console.log(`wrote ${each.file}`);
}
