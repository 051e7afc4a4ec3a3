// Runs the tests of this folder in a local browser. Passes every argument to vitest.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../harness/python-environment.ts';
import { chromiumPath } from './browser.ts';

if (existsSync(chromiumPath)) {
  const vitest = path.join(projectRoot, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--config', 'test/vitest.config.ts', '--project', 'pages', ...process.argv.slice(2)];
  const [code] = await once(spawn(process.execPath, args, { cwd: projectRoot, stdio: 'inherit' }), 'close');
  process.exitCode = code ?? 1;
} else {
  console.error(
    `There is no browser at ${chromiumPath}. Install Debian's chromium (apt-get install chromium), or set its path: CHROMIUM=/path/to/chromium npm run test:pages`,
  );
  process.exitCode = 1;
}
