import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bundle, bundleFunctions, sizeTable } from '../../../infra/build/bundle.ts';
import type { FunctionSpec } from '../../../infra/function-spec.ts';
import { functions } from '../../../infra/functions.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'daybook-bundle-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the bundles of the map', () => {
  let bundles: Bundle[];
  beforeAll(async () => {
    bundles = await bundleFunctions(functions, path.join(folder, 'dist'));
  }, 120_000);

  test('are one file for every function, and its assets', () => {
    expect(bundles.map(({ name }) => name)).toEqual(Object.keys(functions));
    for (const [name, { entry }] of Object.entries(functions)) {
      const assets = path.join(path.dirname(entry), 'assets');
      const expected = existsSync(assets) ? ['assets', 'index.js', 'package.json'] : ['index.js', 'package.json'];
      const made = path.join(folder, 'dist', name);
      expect(readdirSync(made).toSorted()).toEqual(expected);
      if (existsSync(assets)) expect(readdirSync(path.join(made, 'assets'))).toEqual(readdirSync(assets));
    }
  });

  test('load alone, without the project around them, and export a handler', () => {
    const script = 'for (const file of process.argv.slice(1)) console.log(typeof (await import(file)).handler);';
    const args = ['--input-type=module', '--eval', script, ...bundles.map(({ file }) => file)];
    const printed = execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env: {} });
    expect(printed.trim().split('\n')).toEqual(bundles.map(() => 'function'));
  });

  test('hold the clients of what the map grants, and no other', () => {
    const specs: Record<string, FunctionSpec> = functions;
    for (const { name, packages } of bundles) {
      const spec = specs[name];
      if (!spec) throw new Error(`the map has no function ${name}`);
      const granted = [
        ...(spec.table.length > 0 ? ['@aws-sdk/client-dynamodb'] : []),
        ...(spec.publishes ? ['@aws-sdk/client-eventbridge'] : []),
        ...(spec.vendors?.includes('tokens') ? ['@aws-sdk/client-kms'] : []),
        ...(spec.secret || spec.vendors?.includes('credentials') ? ['@aws-sdk/client-secrets-manager'] : []),
        ...(spec.sends.length > 0 ? ['@aws-sdk/client-sqs'] : []),
      ];
      const clients = packages.filter((each) => each.startsWith('@aws-sdk/client-'));
      expect({ name, clients }).toEqual({ name, clients: granted });
    }
  });

  test('hold no credential chain: a function has its credentials in its environment', () => {
    const all = bundles.flatMap(({ packages }) => packages);
    expect(all).toContain('@smithy/core');
    expect(all.filter((each) => /credential-provider|nested-clients|token-providers/.test(each))).toEqual([]);
  });

  test('stay under 550 kB each, but for those that know ten vendors', () => {
    // Each holds every vendor's rules, and some the one that plays them all in the sandbox.
    const most: Record<string, number> = {
      ingest: 580_000,
      push: 700_000,
      'sandbox-vendor': 700_000,
      sync: 780_000,
      'seed-sandbox': 800_000,
      connect: 820_000,
    };
    for (const { name, bytes } of bundles)
      expect({ name, bytes, small: bytes <= (most[name] ?? 550_000) }).toEqual({ name, bytes, small: true });
  });

  test('hold what calls outside only where the map says that they do', () => {
    const guard = 'is not a public address';
    const withIt = bundles.filter(({ file }) => readFileSync(file, 'utf8').includes(guard)).map(({ name }) => name);
    const calling = Object.entries<FunctionSpec>(functions).flatMap(([name, { calls }]) => (calls ? [name] : []));
    expect(withIt).toEqual(calling);
    expect(calling).toEqual(['connect', 'webhooks', 'sync', 'deliver', 'seed-sandbox']);
  });

  test('are listed with the largest first', () => {
    const [, first, second] = sizeTable([
      { name: 'small', file: '', bytes: 1_000, gzippedBytes: 500, packages: [] },
      { name: 'large', file: '', bytes: 200_000, gzippedBytes: 60_000, packages: [] },
    ]).split('\n');
    expect(first).toMatch(/^large +200\.0 kB +60\.0 kB$/);
    expect(second).toMatch(/^small/);
  });
});

test('an entry that is not there is named with its function', async () => {
  const missing = bundleFunctions(
    { ghost: { ...functions.sweep, entry: 'functions/ghost.ts' } },
    path.join(folder, 'ghost'),
  );
  await expect(missing).rejects.toThrow(/ghost cannot be bundled from functions\/ghost\.ts/);
});
