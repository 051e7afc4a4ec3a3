// The types that the console's clients are made of: generated from the OpenAPI documents and
// committed, because the generator needs a TypeScript version with a JavaScript API.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { consoleContract, contract } from '../../functions/api/reference/contract.ts';
import { isDocumented, isForConsole } from '../../shared/http/endpoint.ts';
import { buildDocument } from '../harness/build-document.ts';
import { projectRoot } from '../harness/python-environment.ts';
import { generatorsFolder, npmBin } from './generators.ts';

export const consoleTypes = [
  { file: 'v1.d.ts', endpoints: contract, isIncluded: isDocumented },
  { file: 'console.d.ts', endpoints: consoleContract, isIncluded: isForConsole },
] as const;

export const generatedTypesFolder = path.join(projectRoot, 'functions/api/console/web/api/generated');

/** Descriptions and examples change often and decide no type. A comment of the generator begins its line. */
const commentBlocks = /^[ \t]*\/\*\*[\s\S]*?\*\/\n/gm;

/** The text that the committed file must have. */
export function generateConsoleTypes({ file, endpoints, isIncluded }: (typeof consoleTypes)[number]): string {
  const folder = path.join(generatorsFolder, 'console-types');
  mkdirSync(folder, { recursive: true });
  const [document, output] = [path.join(folder, `${file}.json`), path.join(folder, file)];
  writeFileSync(document, JSON.stringify(buildDocument(endpoints, isIncluded)));
  // The order of a module's exports, and so of the paths, depends on who loads it.
  execFileSync(path.join(npmBin, 'openapi-typescript'), [document, '--alphabetize', '--output', output], {
    stdio: 'pipe',
  });
  return readFileSync(output, 'utf8').replace(commentBlocks, '');
}
