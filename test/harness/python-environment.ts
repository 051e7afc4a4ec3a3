// Python tools for tests, each set in its own virtual environment.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const projectRoot = path.join(import.meta.dirname, '../..');
export const workFolder = path.join(projectRoot, '.daybook');

/** A problem that the developer can fix, shown without a stack trace. */
export class SetupError extends Error {}

export interface PythonTools {
  /** The folder that the tools are installed into. */
  name: string;
  packages: readonly string[];
  /** The oldest supported Python 3, as its minor version. */
  minMinor: number;
}

/**
 * Returns the folder with the tools' executables. The first call installs them, which requires
 * network access.
 */
export function pythonEnvironment({ name, packages, minMinor }: PythonTools, report: (line: string) => void): string {
  const folder = path.join(workFolder, name);
  const bin = path.join(folder, 'bin');
  const stamp = path.join(folder, 'installed.txt');
  const wanted = `${packages.join('\n')}\n`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return bin;

  const python = findPython(minMinor);
  report(`Creating a Python environment in ${path.relative(projectRoot, folder)}`);
  rmSync(folder, { recursive: true, force: true });
  const result = spawnSync(python, ['-m', 'venv', folder], { encoding: 'utf8' });
  if (result.status !== 0) {
    throw new SetupError(
      `Python cannot create a virtual environment: ${(result.stdout + result.stderr).trim()}\n` +
        'On Debian and Ubuntu, run: apt-get install python3-venv',
    );
  }
  report(`Installing ${packages.join(' and ')} into it`);
  const installed = spawnSync(
    path.join(bin, 'python'),
    ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages],
    { encoding: 'utf8' },
  );
  if (installed.status !== 0) {
    throw new SetupError(`pip could not install ${packages.join(' and ')}: ${installed.stderr.trim()}`);
  }
  writeFileSync(stamp, wanted);
  return bin;
}

function findPython(minMinor: number): string {
  try {
    execFileSync('python3', ['-c', `import sys; sys.exit(sys.version_info < (3, ${minMinor}))`], { stdio: 'pipe' });
    return 'python3';
  } catch (cause) {
    throw new SetupError(
      `These tests need Python 3.${minMinor} or newer as python3 on the PATH: install it and try again.`,
      { cause },
    );
  }
}
