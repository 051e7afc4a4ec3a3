// The local host runs what is deployed: the bundles of the functions, not their sources.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadBuiltFunctions } from '../../../infra/build/built-functions.ts';
import { functions, queues } from '../../../infra/functions.ts';
import { loadHandler } from '../../../infra/local/function-runner.ts';
import { startSystem } from '../../harness/system.ts';
import { memoryHost } from './local-host.ts';

const root = path.join(import.meta.dirname, '../../..');

test("a host refuses to run the product's functions from their sources", async () => {
  await expect(memoryHost({ functions, queues })).rejects.toThrow(/app\.ts runs from its bundle/);
});

test('every function of the manifest has a bundle, which is the file that is loaded', async () => {
  const bundles = await loadBuiltFunctions();
  expect([...bundles.keys()].sort()).toEqual(
    Object.values(functions)
      .map(({ entry }) => entry)
      .sort(),
  );
  const { entry } = functions.users;
  const [built, source] = [await loadHandler(entry, bundles), await loadHandler(entry)];
  expect(built).not.toBe(source);
  // Minified code is shorter than the source.
  expect(String(built.build).length).toBeLessThan(String(source.build).length);
});

const settingsSourceLine = /functions\/runtime\/settings\.ts:\d+:\d+/;

test('the stack of an error names the source and its line', async () => {
  const { buildHosted: hosted } = await loadHandler(functions.users.entry, await loadBuiltFunctions());
  const error = await hosted({ env: { AWS_REGION: 'eu-central-1' } }).catch((thrown: Error) => thrown);
  expect(error).toHaveProperty('stack', expect.stringMatching(settingsSourceLine));
});

test('error stacks also name the source outside of the tests', () => {
  const program = `
    import { loadBuiltFunctions } from './infra/build/built-functions.ts';
    import { functions } from './infra/functions.ts';
    import { loadHandler } from './infra/local/function-runner.ts';
    const { buildHosted } = await loadHandler(functions.users.entry, await loadBuiltFunctions());
    await buildHosted({ env: { AWS_REGION: 'eu-central-1' } }).catch(({ stack }) => console.log(stack));
  `;
  const args = ['--input-type=module', '--eval', program];
  expect(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })).toMatch(settingsSourceLine);
});

test('the host measures the table calls that a function makes with its own client', async () => {
  const system = await startSystem();
  onTestFinished(() => system.stop());
  const { live_key: token } = await system.account();
  const before = system.calls.length;
  await system.call('GET', '/v1/users', { token });
  expect(system.calls.slice(before).map(({ operation }) => operation)).toContain('UpdateItem');
});
