// The languages that can run a receiver on this machine.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onWorkerExit } from '../../harness/on-worker-exit.ts';
import { once } from '../../harness/once.ts';
import { findProgram } from '../installed-programs.ts';

const assets = fileURLToPath(new URL('../../../functions/api/guides/assets/', import.meta.url));
export interface Language {
  name: string;
  /** The command that starts the receiver, or undefined if the language is not installed. */
  prepare: (() => Promise<string[]>) | undefined;
}

function findLanguage(name: string, program: string | undefined, file: string): Language {
  return { name, prepare: program === undefined ? undefined : async () => [program, path.join(assets, file)] };
}

function findGo(): Language {
  const go = findProgram(['go'], 'version', /^go version /);
  // A first build takes minutes, in which the host must go on.
  const compile = async (program: string) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'daybook-receiver-'));
    onWorkerExit(async () => rmSync(folder, { recursive: true }));
    const output = path.join(folder, 'receiver');
    await promisify(execFile)(program, ['build', '-o', output, 'receiver.go'], { cwd: assets });
    return [output];
  };
  return { name: 'Go', prepare: go === undefined ? undefined : once(() => compile(go)) };
}

export const languages: readonly Language[] = [
  findLanguage('Node 20', findProgram(['node20', 'node'], '--version', /^v20\./), 'receiver.mjs'),
  findLanguage('Node 24', process.version.startsWith('v24.') ? process.execPath : undefined, 'receiver.mjs'),
  findLanguage(
    'Python',
    findProgram(['python3', 'python3.11'], '--version', /^Python 3\.(?:9|[1-9]\d)\./),
    'receiver.py',
  ),
  findGo(),
];
