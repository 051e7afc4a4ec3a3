import { execFile } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from '../harness/python-environment.ts';
import { type System, startSystem } from '../harness/system.ts';
import { generatorsFolder, npmBin, pythonBin } from './generators.ts';

const document = path.join(generatorsFolder, 'openapi.json');
const programs = path.join(import.meta.dirname, 'programs');
let system: System;
let clientEnvironment: Record<string, string>;

beforeAll(async () => {
  system = await startSystem();
  const { sandbox_key: key } = await system.account();
  const seeded = await system.user(key);
  await system.host.drain();
  clientEnvironment = { BASE_URL: system.host.baseUrl, API_KEY: key, SEEDED_USER: seeded };
  await writeFile(document, (await system.call('GET', '/openapi.json')).text);
});
afterAll(() => system.stop());

/** Throws an error with the output of the program if it fails. */
async function run(cwd: string, program: string, args: readonly string[], env: Record<string, string> = {}) {
  const searched = [path.dirname(process.execPath), pythonBin, process.env['PATH']].join(path.delimiter);
  try {
    const options = { cwd, env: { PATH: searched, HOME: cwd, ...env }, maxBuffer: 16e6 };
    return await promisify(execFile)(program, args, options);
  } catch (error) {
    const { stdout = '', stderr = '' }: { stdout?: string; stderr?: string } = Object(error);
    throw new Error(`${path.basename(program)} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

/** Creates an empty folder with the program that uses the client. */
async function prepareFolder(program: string): Promise<string> {
  const folder = path.join(generatorsFolder, 'made', path.parse(program).name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await cp(path.join(programs, program), path.join(folder, `program${path.extname(program)}`));
  return folder;
}

/** Compiles the program and the generated code in strict mode. */
async function compile(folder: string): Promise<void> {
  const compilerOptions = {
    strict: true,
    skipLibCheck: true,
    target: 'es2022',
    module: 'commonjs',
    moduleResolution: 'node10',
    esModuleInterop: true,
    lib: ['es2023', 'dom', 'dom.iterable'],
    typeRoots: [path.join(projectRoot, 'node_modules/@types')],
    types: ['node'],
    outDir: 'built',
  };
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
  await run(folder, path.join(npmBin, 'tsc'), ['-p', '.']);
}

const parseOutput = ({ stdout }: { stdout: string }): unknown => JSON.parse(stdout.trim().split('\n').at(-1) ?? '');

const expectedResult = (clientName: string) => ({
  external_ref: clientName,
  accepted: 1,
  measured: true,
  webhooks: 0,
  missing: { status: 404, error: 'not_found' },
  event: true,
});

describe('the served OpenAPI document generates a client that compiles and calls the service', () => {
  test('with openapi-typescript', async () => {
    const folder = await prepareFolder('openapi-typescript.ts');
    await run(folder, path.join(npmBin, 'openapi-typescript'), [document, '--output', 'generated.ts']);
    await compile(folder);
    const done = await run(folder, process.execPath, ['built/program.js'], clientEnvironment);
    expect(parseOutput(done)).toEqual(expectedResult('openapi-typescript'));
  });

  test('with hey-api', async () => {
    const folder = await prepareFolder('hey-api.ts');
    await run(folder, path.join(npmBin, 'openapi-ts'), ['--input', document, '--output', 'generated']);
    await compile(folder);
    const done = await run(folder, process.execPath, ['built/program.js'], clientEnvironment);
    expect(parseOutput(done)).toEqual(expectedResult('hey-api'));
  });

  test('with openapi-python-client', async () => {
    const folder = await prepareFolder('openapi_python_client.py');
    const generate = [
      'generate',
      '--path',
      document,
      '--meta',
      'none',
      '--output-path',
      'generated',
      '--fail-on-warning',
    ];
    await run(folder, path.join(pythonBin, 'openapi-python-client'), generate);
    const python = path.join(pythonBin, 'python');
    await run(folder, python, ['-m', 'compileall', '-q', '.']);
    // Without client.py, which never passes a strict check for any document.
    const checked = ['program.py', 'generated/api', 'generated/models'];
    await run(folder, python, ['-m', 'mypy', '--strict', '--follow-imports=silent', ...checked]);
    const done = await run(folder, python, ['program.py'], clientEnvironment);
    expect(parseOutput(done)).toEqual(expectedResult('openapi-python-client'));
  });
});
