// Installs the client generators and runs the tests of this folder. Passes every argument to
// vitest.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { projectRoot, SetupError } from '../harness/python-environment.ts';
import { installGenerators } from './generators.ts';

try {
  installGenerators((line) => console.log(`· ${line}`));
  const vitest = path.join(projectRoot, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--config', 'test/vitest.config.ts', '--project', 'clients', ...process.argv.slice(2)];
  const [code] = await once(spawn(process.execPath, args, { cwd: projectRoot, stdio: 'inherit' }), 'close');
  process.exitCode = code ?? 1;
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
