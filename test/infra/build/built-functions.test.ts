// When functions are built again, and how long a build stays.
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
import { fingerprintOf, forgetOldBuilds } from '../../../infra/build/built-functions.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-builds-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

describe('the fingerprint of sources', () => {
  beforeEach(() => {
    for (const file of [
      'functions/api/users/app.ts',
      'functions/api/reference/assets/page.css',
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
      put(file, `// ${file}`);
  });

  test.each([
    ['a handler', 'functions/api/users/app.ts'],
    ['an asset', 'functions/api/reference/assets/page.css'],
    ['a rule', 'shared/system/ids.ts'],
    ['the build itself', 'infra/build/bundle.ts'],
    ['a grant', 'infra/api-functions.ts'],
    ['a package', 'package-lock.json'],
    ['what may be left out of a bundle', 'package.json'],
  ])('changes with %s, and comes back with it', (_what, file) => {
    const before = fingerprintOf(folder);
    put(file, 'another text');
    expect(fingerprintOf(folder)).not.toBe(before);
    put(file, `// ${file}`);
    expect(fingerprintOf(folder)).toBe(before);
  });

  test('changes when a file comes, goes or is renamed', () => {
    const before = fingerprintOf(folder);
    put('shared/model/new.ts', '');
    const more = fingerprintOf(folder);
    renameSync(path.join(folder, 'shared/model/new.ts'), path.join(folder, 'shared/model/old.ts'));
    const renamed = fingerprintOf(folder);
    rmSync(path.join(folder, 'shared/model/old.ts'));
    expect([new Set([before, more, renamed]).size, fingerprintOf(folder)]).toEqual([3, before]);
  });

  test('does not change with what is in no bundle', () => {
    const before = fingerprintOf(folder);
    put('infra/local/host.ts', 'another text');
    expect(fingerprintOf(folder)).toBe(before);
  });
});

/** No process has a number as high. */
const noProcess = 2 ** 22 + 1;

describe('old builds', () => {
  /** The first is the newest. */
  function build(name: string, age: number, usedBy?: number): void {
    put(path.join(name, 'index.js'), '');
    if (usedBy !== undefined) put(path.join(name, `used-by-${usedBy}`), '');
    utimesSync(path.join(folder, name), 1_000_000 - age, 1_000_000 - age);
  }
  const left = () => ['a', 'b', 'c', 'd', 'e'].filter((name) => existsSync(path.join(folder, name)));

  test('go, but for the newest three', () => {
    for (const [age, name] of ['a', 'b', 'c', 'd', 'e'].entries()) build(name, age);
    forgetOldBuilds(folder);
    expect(left()).toEqual(['a', 'b', 'c']);
  });

  test('that a process is still making stay, and those that one gave up go', () => {
    for (const [age, name] of ['a', 'b', 'c'].entries()) build(name, age);
    build(`making-by-${process.pid}-x`, 4);
    build(`making-by-${noProcess}-x`, 5);
    forgetOldBuilds(folder);
    expect(readdirSync(folder).sort()).toEqual(['a', 'b', 'c', `making-by-${process.pid}-x`]);
  });

  test('stay while a process runs from them, and go when it has ended', () => {
    for (const [age, name] of ['a', 'b', 'c'].entries()) build(name, age);
    build('d', 4, process.pid);
    build('e', 5, noProcess);
    forgetOldBuilds(folder);
    expect(left()).toEqual(['a', 'b', 'c', 'd']);
  });
});
