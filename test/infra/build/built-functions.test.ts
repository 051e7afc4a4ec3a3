// Tests when functions are rebuilt and how long a build is kept.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { computeFingerprint, removeOldBuilds } from '../../../infra/build/built-functions.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-builds-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function writeSource(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

describe('the source fingerprint', () => {
  beforeEach(() => {
    for (const file of [
      'functions/api/users/app.ts',
      'functions/api/docs-kit/assets/page.css',
      'shared/system/ids.ts',
      'infra/build/bundle.ts',
      'infra/functions.ts',
      'infra/api-functions.ts',
      'infra/function-spec.ts',
      'infra/local/host.ts',
      'package.json',
      'package-lock.json',
      'tsconfig.json',
    ])
      writeSource(file, `// ${file}`);
  });

  test.each([
    ['a handler', 'functions/api/users/app.ts'],
    ['an asset', 'functions/api/docs-kit/assets/page.css'],
    ['a rule', 'shared/system/ids.ts'],
    ['the build itself', 'infra/build/bundle.ts'],
    ['a grant', 'infra/api-functions.ts'],
    ['a package', 'package-lock.json'],
    ['the package manifest', 'package.json'],
  ])('changes with %s, and is restored with it', (_what, file) => {
    const before = computeFingerprint(folder);
    writeSource(file, 'another text');
    expect(computeFingerprint(folder)).not.toBe(before);
    writeSource(file, `// ${file}`);
    expect(computeFingerprint(folder)).toBe(before);
  });

  test('changes when a file is added, removed or renamed', () => {
    const before = computeFingerprint(folder);
    writeSource('shared/model/new.ts', '');
    const more = computeFingerprint(folder);
    renameSync(path.join(folder, 'shared/model/new.ts'), path.join(folder, 'shared/model/old.ts'));
    const renamed = computeFingerprint(folder);
    rmSync(path.join(folder, 'shared/model/old.ts'));
    expect([new Set([before, more, renamed]).size, computeFingerprint(folder)]).toEqual([3, before]);
  });

  test('does not change with a file that is in no bundle', () => {
    const before = computeFingerprint(folder);
    writeSource('infra/local/host.ts', 'another text');
    expect(computeFingerprint(folder)).toBe(before);
  });
});

/** A process id that is higher than any real one. */
const unusedPid = 2 ** 22 + 1;

describe('old builds', () => {
  /** Creates a build of this age; age 0 is the newest. */
  function build(name: string, age: number, usedBy?: number): void {
    writeSource(path.join(name, 'index.js'), '');
    if (usedBy !== undefined) writeSource(path.join(name, `used-by-${usedBy}`), '');
    utimesSync(path.join(folder, name), 1_000_000 - age, 1_000_000 - age);
  }
  const left = () => ['a', 'b', 'c', 'd', 'e'].filter((name) => existsSync(path.join(folder, name)));

  test('are removed, except for the newest three', () => {
    for (const [age, name] of ['a', 'b', 'c', 'd', 'e'].entries()) build(name, age);
    removeOldBuilds(folder);
    expect(left()).toEqual(['a', 'b', 'c']);
  });

  test('that a process is still building are kept, and abandoned ones are removed', () => {
    for (const [age, name] of ['a', 'b', 'c'].entries()) build(name, age);
    build(`making-by-${process.pid}-x`, 4);
    build(`making-by-${unusedPid}-x`, 5);
    removeOldBuilds(folder);
    expect(readdirSync(folder).sort()).toEqual(['a', 'b', 'c', `making-by-${process.pid}-x`]);
  });

  test('are kept while a process runs from them, and removed when it has ended', () => {
    for (const [age, name] of ['a', 'b', 'c'].entries()) build(name, age);
    build('d', 4, process.pid);
    build('e', 5, unusedPid);
    removeOldBuilds(folder);
    expect(left()).toEqual(['a', 'b', 'c', 'd']);
  });
});
