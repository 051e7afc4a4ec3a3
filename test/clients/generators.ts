// Client generators, installed in a separate folder because they need a TypeScript version with a
// JavaScript API, which this project's version lacks.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pythonEnvironment, SetupError, workFolder } from '../harness/python-environment.ts';

/** Generated and compiled code is placed below this folder, so that it finds the packages. */
export const generatorsFolder = path.join(workFolder, 'client-generators');
export const npmBin = path.join(generatorsFolder, 'node_modules/.bin');

const npmPackages = {
  'openapi-typescript': '7.13.0',
  'openapi-fetch': '0.17.0',
  '@hey-api/openapi-ts': '0.99.0',
  typescript: '5.9.3',
};
const pythonTools = {
  name: 'client-generators-venv',
  packages: ['openapi-python-client==0.29.1', 'mypy==2.4.1'],
  minMinor: 11,
};

export const pythonBin = path.join(workFolder, pythonTools.name, 'bin');

/** Needs the network the first time. */
export function installGenerators(say: (line: string) => void): void {
  installNpmPackages(say);
  pythonEnvironment(pythonTools, say);
}

export function installNpmPackages(say: (line: string) => void): void {
  const stamp = path.join(generatorsFolder, 'installed.json');
  const wanted = JSON.stringify({ private: true, dependencies: npmPackages });
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const names = Object.entries(npmPackages).map(([name, version]) => `${name}@${version}`);
  say(`Installing ${names.join(', ')}`);
  rmSync(generatorsFolder, { recursive: true, force: true });
  mkdirSync(generatorsFolder, { recursive: true });
  writeFileSync(path.join(generatorsFolder, 'package.json'), wanted);
  const flags = ['install', '--loglevel=error', '--no-audit', '--no-fund', '--no-package-lock'];
  const { status, error, stdout, stderr } = spawnSync('npm', flags, { cwd: generatorsFolder, encoding: 'utf8' });
  if (status !== 0) throw new SetupError(`npm could not install the client generators: ${error ?? stderr + stdout}`);
  writeFileSync(stamp, wanted);
}
