import { brotliDecompressSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';

let system: System;
let document: string;
beforeAll(async () => {
  system = await sharedSystem();
  document = (await system.call('GET', '/console')).text;
});

const readAssetPaths = (): string[] =>
  [...document.matchAll(/"(\/console\/assets\/[^"]+)"/g)].map(([, path = '']) => path);

test.each(['/console/people', '/console/people/usr_1?env=live', '/console/settings/keys', '/console/sign-in'])(
  '%s gets the document of the console, which is not stored',
  async (path) => {
    const response = await system.call('GET', path);
    expect([response.status, response.text]).toEqual([200, document]);
    expect(response.headers.get('cache-control')).toBe('no-cache');
  },
);

test.each(['GET', 'HEAD'])(
  '%s of the console’s address with a slash is redirected to the one without',
  async (method) => {
    for (const query of ['', '?env=live&next=//evil.example']) {
      const { status, headers } = await system.call(method, `/console/${query}`);
      expect([status, headers.get('location')]).toEqual([308, `/console${query}`]);
    }
  },
);

test.each([
  '//evil.example/console/',
  '/%2fevil.example/console/',
  '/console//',
  '/console//evil.example/',
  '/console/%2f/',
  '/console/api/',
])('%s is redirected nowhere', async (path) => {
  const { headers } = await system.call('GET', path);
  expect(headers.get('location')).toBeNull();
});

test('a write to the console’s address with a slash is not found', async () => {
  expect((await system.call('POST', '/console/')).status).toBe(404);
});

test('the policy allows scripts and styles of the asset path only, and no HTML from text', async () => {
  const { headers } = await system.call('GET', '/console');
  const policy = Object.fromEntries(
    (headers.get('content-security-policy') ?? '').split('; ').map((part) => {
      const [name = '', ...values] = part.split(' ');
      return [name, values.join(' ')];
    }),
  );
  const assets = `${system.host.baseUrl}/console/assets/`;
  expect(policy).toEqual({
    'default-src': "'none'",
    'script-src': assets,
    'style-src': assets,
    'img-src': assets,
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  });
  expect(document).not.toMatch(/<script(?![^>]* src=)|<style|style=|\son\w+=/);
});

test('a file is served compressed, with its type, and may be kept for a year', async () => {
  const paths = readAssetPaths();
  expect(paths.map((path) => path.split('.').at(-1)).sort()).toEqual(['css', 'js', 'svg']);
  const types = new Map([
    ['js', 'text/javascript; charset=utf-8'],
    ['css', 'text/css; charset=utf-8'],
    ['svg', 'image/svg+xml'],
  ]);
  for (const path of paths) {
    const { status, headers } = await system.call('GET', path);
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect(headers.get('content-type')).toBe(types.get(path.split('.').at(-1) ?? ''));
  }
});

test('the first page is at most four requests and 90 kB as sent', async () => {
  const { baseUrl } = system.host;
  const sentBytes = async (path: string): Promise<{ bytes: number; text: string }> => {
    const response = await fetchRaw(baseUrl + path);
    return { bytes: response.length, text: response.text };
  };
  const main = readAssetPaths().find((path) => path.endsWith('.js')) ?? '';
  const script = await sentBytes(main);
  // The page of the list of people, which is the first one after signing in.
  const [page = ''] = /people-page-[\w-]+\.js/.exec(script.text) ?? [];
  const paths = ['/console', ...readAssetPaths().filter((path) => !path.endsWith('.svg')), `/console/assets/${page}`];
  const sizes = await Promise.all(paths.map(async (path) => (await sentBytes(path)).bytes));
  expect(paths.length).toBeLessThanOrEqual(4);
  expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(90_000);
});

/** `fetch` would hide how many bytes were sent. */
async function fetchRaw(url: string): Promise<{ length: number; text: string }> {
  const { get } = await import('node:http');
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'br' } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const body = Buffer.concat(chunks);
        const isCompressed = response.headers['content-encoding'] === 'br';
        resolve({ length: body.length, text: (isCompressed ? brotliDecompressSync(body) : body).toString() });
      });
    }).on('error', reject);
  });
}

test('a file of another version, a path out of the folder and an unknown call are 404 with JSON', async () => {
  for (const path of [
    '/console/assets/index-00000000.js',
    '/console/assets/..%2Findex.html',
    '/console/assets/a/b.js',
    '/console/api/nothing',
  ]) {
    const { status, body } = await system.call('GET', path);
    expect([path, status, body.error]).toEqual([path, 404, 'not_found']);
  }
});

test('another name of this machine is redirected to the one that cookies are set for', async () => {
  const port = new URL(system.host.baseUrl).port;
  const response = await fetch(`http://127.0.0.1:${port}/console/people?env=sandbox`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([
    307,
    `${system.host.baseUrl}/console/people?env=sandbox`,
  ]);
});
