// Pastes the blocks of the README one after the other into one shell, beside a host that `npm
// start` has started, and compares what they print with what the README shows.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadBuiltFunctions } from '../../../infra/build/built-functions.ts';
import { findFreePort } from '../../../infra/local/engines/port.ts';
import { checkLikeSample } from './persona-values.ts';
import { findSkipReason, type ReadmeBlock, readBlocks, repository, skippedBlocks } from './readme-blocks.ts';
import { findDifferences, parseSample } from './sample-json.ts';

const usualPort = '8787';
const blocks = readBlocks();
const runnableBlocks = blocks.filter((block) => findSkipReason(block) === undefined);
const outputs = new Map<ReadmeBlock, string>();

/**
 * The repository under another path, whose data folder is empty, and whose commands find no host of
 * the repository itself.
 */
function linkRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-readme-'));
  linkEntries(fileURLToPath(repository), folder, ['.daybook', '.git', 'node_modules']);
  mkdirSync(join(folder, 'node_modules'));
  linkEntries(fileURLToPath(new URL('node_modules', repository)), join(folder, 'node_modules'), ['.cache']);
  return folder;
}

function linkEntries(from: string, to: string, excluded: readonly string[]): void {
  for (const name of readdirSync(from)) if (!excluded.includes(name)) symlinkSync(join(from, name), join(to, name));
}

const cleanUps: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

function run(command: string, args: readonly string[], cwd: string, more: Record<string, string> = {}) {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1', ...more };
  // A group of its own, because npm starts further processes.
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  const ended = once(child, 'close');
  cleanUps.push(async () => {
    if (child.exitCode === null && child.pid) process.kill(-child.pid, 'SIGTERM');
    await ended;
  });
  return { printed: () => printed, ended };
}

beforeAll(async () => {
  await loadBuiltFunctions();
  const folder = linkRepository();
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  const port = String(await findFreePort());
  const host = run('npm', ['start'], folder, { PORT: port });
  const expectReady = () => {
    if (!/^ready /m.test(host.printed())) throw new Error(`npm start is not ready; its output: ${host.printed()}`);
  };
  await vi.waitFor(expectReady, { timeout: 60_000, interval: 50 });
  const file = (name: string) => join(folder, name);
  const steps = runnableBlocks.flatMap(({ commands }, at) => {
    writeFileSync(file(`${at}.sh`), commands.replaceAll(usualPort, port));
    return [`source ${at}.sh >${at}.out 2>${at}.err`, `touch ${at}.ok`];
  });
  const shell = run('bash', ['-c', ['set -eo pipefail', ...steps].join('\n')], folder);
  await shell.ended;
  for (const [at, block] of runnableBlocks.entries()) {
    if (!existsSync(file(`${at}.ok`))) {
      const printed = existsSync(file(`${at}.err`)) ? readFileSync(file(`${at}.err`), 'utf8') : '';
      throw new Error(`the block in line ${block.line} of the README failed: ${printed}\n${shell.printed()}`);
    }
    outputs.set(block, readFileSync(file(`${at}.out`), 'utf8'));
  }
}, 300_000);

test('every block of the README is pasted, or there is a reason why not', () => {
  for (const start of Object.keys(skippedBlocks))
    expect([start, blocks.some(({ commands }) => commands.startsWith(start))]).toEqual([start, true]);
  expect(runnableBlocks.length).toBeGreaterThan(10);
});

test('the first block reads days with values, right after the user was created', () => {
  const [output] = outputs.values();
  for (const metric of ['steps', 'resting_heart_rate', 'asleep', 'sleep_score', 'recovery_score'])
    expect(output).toMatch(new RegExp(`"${metric}":\\[[^\\]]*\\d`));
});

describe.each(runnableBlocks)('the block in line $line', (block) => {
  test('prints no error', () => expect(outputs.get(block)).not.toMatch(/"error":"/));

  if (block.output === undefined) return;
  const sample = parseSample(block.output);

  test('prints what the README shows', () => {
    expect(findDifferences(sample, JSON.parse(outputs.get(block) ?? ''), checkLikeSample)).toEqual([]);
  });
});
