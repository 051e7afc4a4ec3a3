// The bundled stand-ins behave like Node's own classes wherever Hono and `shared/http` use them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as light from '../../../infra/build/light-web.ts';

const name = fc.constantFrom('ETag', 'etag', 'X-One', 'x-one', 'Vary', 'Set-Cookie', 'set-cookie', 'content-type');
const value = fc.constantFrom('', 'a', 'b, c', ' padded ', 'W/"x"');
const step = fc.oneof(
  fc.tuple(fc.constant('set' as const), name, value),
  fc.tuple(fc.constant('append' as const), name, value),
  fc.tuple(fc.constant('delete' as const), name, value),
);

interface AnyHeaders {
  get(name: string): string | null;
  has(name: string): boolean;
  set(name: string, value: string): void;
  append(name: string, value: string): void;
  delete(name: string): void;
  getSetCookie(): string[];
  forEach(each: (value: string, name: string) => void): void;
  entries(): Iterable<[string, string]>;
  keys(): Iterable<string>;
  values(): Iterable<string>;
}

function readHeaders(headers: AnyHeaders) {
  const each: [string, string][] = [];
  headers.forEach((headerValue, headerName) => {
    each.push([headerName, headerValue]);
  });
  const lookups = ['ETag', 'x-ONE', 'set-cookie', 'missing'].map((one) => [headers.get(one), headers.has(one)]);
  return [each, lookups, headers.getSetCookie(), [...headers.entries()], [...headers.keys()], [...headers.values()]];
}

describe('headers', () => {
  test("behave like Node's after any sequence of set, append and delete", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const [ours, nodes] = [new light.Headers(), new Headers()];
        for (const [what, headerName, headerValue] of steps)
          for (const headers of [ours, nodes])
            if (what === 'delete') headers.delete(headerName);
            else headers[what](headerName, headerValue);
        expect(readHeaders(ours)).toEqual(readHeaders(nodes));
      }),
    );
  });

  test.each([
    ['an object', { 'X-One': 'a', ETag: 'b' }],
    ['pairs', [['X-One', 'a'] as const, ['x-one', 'b'] as const]],
    ['nothing', undefined],
  ])('can be created from %s', (_what, headersInit) => {
    expect(readHeaders(new light.Headers(headersInit))).toEqual(
      readHeaders(new Headers(headersInit as ConstructorParameters<typeof Headers>[0])),
    );
  });

  test.each([
    ['a space in its name', 'x one', 'a'],
    ['no name', '', 'a'],
    ['a line break inside', 'x-one', 'a\nb'],
    ['a NUL', 'x-one', 'a\0b'],
    ['a character that is not a byte', 'x-one', 'ā'],
  ])('with %s are rejected', (_what, headerName, headerValue) => {
    for (const headers of [new light.Headers(), new Headers()]) {
      expect(() => headers.append(headerName, headerValue)).toThrow(TypeError);
      expect(() => headers.set(headerName, headerValue)).toThrow(TypeError);
    }
  });

  test.each(['a\u00a0', '\u00a0a', ' a\t', '\r\na', 'é'])('trim %j as Node does', (headerValue) => {
    expect(new light.Headers({ 'x-one': headerValue }).get('x-one')).toBe(
      new Headers({ 'x-one': headerValue }).get('x-one'),
    );
  });

  test('can be copied, with separate cookies', () => {
    const [ours, nodes] = [new light.Headers(), new Headers()];
    for (const headers of [ours, nodes]) for (const cookie of ['a=1', 'b=2']) headers.append('Set-Cookie', cookie);
    expect(readHeaders(new light.Headers(ours))).toEqual(readHeaders(new Headers(nodes)));
  });
});

const bytes = new Uint8Array([0x7b, 0xc3, 0xa4, 0x7d]);
const bodies: [string, string | Uint8Array<ArrayBuffer> | ArrayBuffer | null][] = [
  ['text', '{"ä":1}'],
  ['bytes', bytes],
  ['a part of a buffer', bytes.subarray(1, 3)],
  ["a slice of Buffer's pool", Buffer.from('{"a":1}')],
  ['a buffer', bytes.buffer],
  ['empty', null],
];
/** Compares a Buffer and an ArrayBuffer by their bytes. */
const toComparable = (read: unknown) =>
  read instanceof ArrayBuffer || read instanceof Uint8Array ? Buffer.from(new Uint8Array(read)).toString('hex') : read;
const readMethods = ['text', 'arrayBuffer', 'bytes'] as const;

describe.each(bodies)('a body that is %s', (_what, body) => {
  test.each(readMethods)('is read as %s, from a request and a response', async (way) => {
    const init = { method: 'POST', body };
    const ours = [new light.Response(body), new light.Request('http://x/', init)];
    const nodes = [new Response(body), new Request('http://x/', init)];
    for (const [i, mine] of ours.entries()) {
      const node = nodes[i];
      expect(toComparable(await mine[way]())).toEqual(toComparable(await node?.[way]()));
      expect(mine.bodyUsed).toBe(node?.bodyUsed);
      expect(mine.headers.get('content-type')).toBe(node?.headers.get('content-type'));
    }
  });

  test('can be read once', async () => {
    const ours = new light.Response(body);
    const node = new Response(body);
    for (const response of [ours, node]) await response.text();
    const again = (response: { text(): Promise<string> }) => response.text().catch((error: unknown) => error);
    const [mine, nodes] = [await again(ours), await again(node)];
    expect(mine instanceof TypeError).toBe(nodes instanceof TypeError);
  });
});

describe('a response', () => {
  test.each([200, 204, 304, 404, 503])('of status %i keeps its status, and is copied with its headers', (status) => {
    const init = { status, headers: { 'X-One': 'a' } };
    const copies = [
      new light.Response(null, new light.Response(null, init)),
      new Response(null, new Response(null, init)),
    ];
    const [ours, nodes] = copies.map((response) => [
      response.status,
      response.statusText,
      response.ok,
      response.body,
      response.headers.get('x-one'),
    ]);
    expect(ours).toEqual(nodes);
  });

  test('has 200 and no body by default', () => {
    expect([new light.Response().status, new light.Response().body]).toEqual([200, null]);
  });

  test('with JSON is parsed', async () => {
    expect(await new light.Response('{"a":[1]}').json()).toEqual({ a: [1] });
  });
});

describe('a request', () => {
  test.each(['http://x', 'https://x.example/a b/%zz?q=ä#part', 'http://x:80/ä'])(
    'resolves the URL %s as Node does',
    (url) => {
      expect(new light.Request(url).url.split('#')[0]).toBe(new Request(url).url.split('#')[0]);
    },
  );

  test('has an uppercase method, GET by default', () => {
    expect([new light.Request('http://x/').method, new light.Request('http://x/', { method: 'post' }).method]).toEqual([
      'GET',
      'POST',
    ]);
  });

  test('without a valid URL is a TypeError, as in Node', () => {
    expect(() => new light.Request('http://')).toThrow(TypeError);
  });
});
