import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bundle, bundleFunctions, renderSizeTable } from '../../../infra/build/bundle.ts';
import { type FunctionSpec, postponedQueue, sealsTokens } from '../../../infra/function-spec.ts';
import { functions } from '../../../infra/functions.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'daybook-bundle-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Functions that call providers also call the built-in simulated provider. */
const sandboxCallers = ['connect', 'sync', 'seed-sandbox'];

/** User tokens are verified by a file that is loaded with the first of them. */
const readsUserTokens = (outputFolder: string): boolean =>
  readFileSync(path.join(outputFolder, 'index.js'), 'utf8').includes('require("./verify-jwt.js")');

describe('the bundles of the function manifest', () => {
  let bundles: Bundle[];
  beforeAll(async () => {
    bundles = await bundleFunctions(functions, path.join(folder, 'dist'));
  }, 120_000);

  test('are one file per function, its assets and pages, and the files that it loads on demand', () => {
    expect(bundles.map(({ name }) => name)).toEqual(Object.keys(functions));
    for (const [name, { entry }] of Object.entries(functions)) {
      const assets = path.join(path.dirname(entry), 'assets');
      const outputFolder = path.join(folder, 'dist', name);
      const expected = [
        ...(existsSync(assets) ? ['assets'] : []),
        ...(sandboxCallers.includes(name) ? ['built-in-provider.js', 'built-in-provider.js.map'] : []),
        ...(name === 'write-user' ? ['cloud-normalizers.js', 'cloud-normalizers.js.map'] : []),
        'index.js',
        'index.js.map',
        'package.json',
        ...(name === 'sign-in' ? ['passkey-verifier.js', 'passkey-verifier.js.map'] : []),
        ...(readsUserTokens(outputFolder) ? ['verify-jwt.js', 'verify-jwt.js.map'] : []),
        ...(existsSync(path.join(path.dirname(entry), 'web')) ? ['web'] : []),
      ];
      expect({ name, files: readdirSync(outputFolder).toSorted() }).toEqual({ name, files: expected });
      if (existsSync(assets)) {
        const copied = [...readdirSync(assets), ...readdirSync('functions/api/docs-kit/assets')].toSorted();
        expect(readdirSync(path.join(outputFolder, 'assets')).toSorted()).toEqual(copied);
      }
    }
  });

  test('load on their own, without the project, and export a handler', () => {
    const script = 'for (const file of process.argv.slice(1)) console.log(typeof (await import(file)).handler);';
    const args = ['--input-type=module', '--eval', script, ...bundles.map(({ file }) => file)];
    const printed = execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env: {} });
    expect(printed.trim().split('\n')).toEqual(bundles.map(() => 'function'));
  });

  test('contain the styles of pages for people without white space', () => {
    const connect = readFileSync(path.join(folder, 'dist', 'connect', 'index.js'), 'utf8');
    expect(connect).toContain('.wordmark{');
    expect(connect).not.toContain('.wordmark {');
  });

  test('contain no package manifest, of which only the version is read', () => {
    for (const { name, file } of bundles)
      expect([name, /\btypesVersions\b/.test(readFileSync(file, 'utf8'))]).toEqual([name, false]);
  });

  test('contain the built-in simulated provider as a separate file, which issues tokens without the project', () => {
    const script = `
      const { createBuiltInProvider } = require(process.argv[1]);
      const keyring = { hash: (...all) => all.join(' '), seal: (_, text) => text, open: (_, sealed) => sealed };
      const ledger = { findEndedMs: async () => undefined, spend: async () => true, end: async () => {} };
      const random = { bytes: (count) => new Uint8Array(count) };
      const vendor = createBuiltInProvider({ keyring, ledger, random, clock: { now: () => Date.parse('2026-03-10T12:00:00Z') } });
      const url = 'https://api.ouraring.com/oauth/token?' + new URLSearchParams(JSON.parse(process.argv[2]));
      const code = vendor.issueCode('oura', 'sbx-average-01kkgynztjwyzsrk5sgvqhy5d6-UTC');
      vendor.handle({ method: 'POST', url: url + '&code=' + encodeURIComponent(code), headers: {}, body: '' })
        .then(({ text }) => console.log(Object.keys(JSON.parse(text)).join(' ')));
    `;
    const tokenRequest = {
      grant_type: 'authorization_code',
      client_id: 'sandbox-oura',
      client_secret: 'sandbox-client oura',
    };
    for (const name of sandboxCallers) {
      const file = path.join(folder, 'dist', name, 'built-in-provider.js');
      const args = ['--eval', script, file, JSON.stringify(tokenRequest)];
      const printed = execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env: {} });
      expect(printed).toMatch(/^token_type access_token refresh_token expires_in/);
      expect(readFileSync(path.join(folder, 'dist', name, 'index.js'), 'utf8')).toContain(
        'require("./built-in-provider.js")',
      );
    }
  });

  test('contain the AWS clients that the manifest grants, and no others', () => {
    const specs: Record<string, FunctionSpec> = functions;
    for (const { name, packages } of bundles) {
      const spec = specs[name];
      if (!spec) throw new Error(`the manifest has no function ${name}`);
      const granted = [
        ...(spec.table.length > 0 ? ['@aws-sdk/client-dynamodb'] : []),
        ...(spec.publishes ? ['@aws-sdk/client-eventbridge'] : []),
        ...(sealsTokens(spec) ? ['@aws-sdk/client-kms'] : []),
        ...(spec.secret || spec.providerSecrets?.includes('credentials') ? ['@aws-sdk/client-secrets-manager'] : []),
        ...(spec.mails ? ['@aws-sdk/client-sesv2'] : []),
        // The worker of a FIFO queue postpones its own message.
        ...(spec.sends.length > 0 || postponedQueue(spec.trigger) ? ['@aws-sdk/client-sqs'] : []),
      ];
      const clients = packages.filter((each) => each.startsWith('@aws-sdk/client-'));
      expect({ name, clients }).toEqual({ name, clients: granted });
    }
  });

  test('share the daily data key only where the manifest grants opening tokens; other functions could not decrypt it', () => {
    const specs = Object.entries<FunctionSpec>(functions);
    const sharing = bundles.filter(({ file }) => /\basync putIfAbsent\(/.test(readFileSync(file, 'utf8')));
    const opening = specs.filter(([, { providerSecrets = [] }]) => providerSecrets.includes('tokens'));
    expect(sharing.map(({ name }) => name)).toEqual(opening.map(([name]) => name));
  });

  test('contain no credential chain, because a function has its credentials in its environment', () => {
    const all = bundles.flatMap(({ packages }) => packages);
    expect(all).toContain('@smithy/core');
    expect(all.filter((each) => /credential-provider|nested-clients|token-providers/.test(each))).toEqual([]);
  });

  test('stay under 550 kB each', () => {
    for (const { name, bytes } of bundles)
      expect({ name, bytes, small: bytes <= 550_000 }).toEqual({ name, bytes, small: true });
  });

  test('contain no JSON Schema writer, except for the one that serves the OpenAPI document', () => {
    const writer = 'https://json-schema.org/draft/2020-12/schema';
    const writing = bundles.filter(({ file }) => readFileSync(file, 'utf8').includes(writer)).map(({ name }) => name);
    expect(writing).toEqual(['reference']);
  });

  test('contain the outbound HTTP client only where the manifest allows calls', () => {
    const guard = 'is not a public address';
    const withIt = bundles.filter(({ file }) => readFileSync(file, 'utf8').includes(guard)).map(({ name }) => name);
    const calling = Object.entries<FunctionSpec>(functions).flatMap(([name, { calls }]) => (calls ? [name] : []));
    expect(withIt).toEqual(calling);
    expect(calling).toEqual(['connect', 'webhooks', 'sync', 'deliver', 'seed-sandbox']);
  });

  test('are listed largest first', () => {
    const [, first, second] = renderSizeTable([
      { name: 'small', file: '', bytes: 1_000, gzippedBytes: 500, packages: [] },
      { name: 'large', file: '', bytes: 200_000, gzippedBytes: 60_000, packages: [] },
    ]).split('\n');
    expect(first).toMatch(/^large +200\.0 kB +60\.0 kB$/);
    expect(second).toMatch(/^small/);
  });
});

test('a missing entry file is reported with its function', async () => {
  const missing = bundleFunctions(
    { ghost: { ...functions.sweep, entry: 'functions/ghost.ts' } },
    path.join(folder, 'ghost'),
  );
  await expect(missing).rejects.toThrow(/ghost cannot be bundled from functions\/ghost\.ts/);
});
