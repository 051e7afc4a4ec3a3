// Python tools for tests, each set in a virtual environment of the project's own.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const projectRoot = path.join(import.meta.dirname, '../..');
export const workFolder = path.join(projectRoot, '.daybook');

/** A reason that a person can act on: shown without a stack trace. */
export class Refusal extends Error {}

/** Returns the folder of the tools' programs. The first time it installs them, which needs the network. */
export function pythonEnvironment(name: string, packages: readonly string[], say: (line: string) => void): string {
  const folder = path.join(workFolder, name);
  const bin = path.join(folder, 'bin');
  const stamp = path.join(folder, 'installed.txt');
  const wanted = `${packages.join('\n')}\n`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return bin;

  const python = findPython();
  say(`Making a Python environment in ${path.relative(projectRoot, folder)}`);
  rmSync(folder, { recursive: true, force: true });
  const made = spawnSync(python, ['-m', 'venv', folder], { encoding: 'utf8' });
  if (made.status !== 0) {
    throw new Refusal(
      `Python cannot make a virtual environment: ${(made.stdout + made.stderr).trim()}\n` +
        'On Debian and Ubuntu, run: apt-get install python3-venv',
    );
  }
  say(`Installing ${packages.join(' and ')} into it`);
  const installed = spawnSync(
    path.join(bin, 'python'),
    ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages],
    { encoding: 'utf8' },
  );
  if (installed.status !== 0) {
    throw new Refusal(`pip could not install ${packages.join(' and ')}: ${installed.stderr.trim()}`);
  }
  writeFileSync(stamp, wanted);
  return bin;
}

function findPython(): string {
  try {
    execFileSync('python3', ['-c', 'import sys; sys.exit(0 if sys.version_info >= (3, 10) else 1)'], { stdio: 'pipe' });
    return 'python3';
  } catch (cause) {
    throw new Refusal('These tests need Python 3.10 or newer as python3 on the PATH: install it and try again.', {
      cause,
    });
  }
}
