import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { docsPage } from '../../../../functions/api/reference/page.ts';

const assets = new URL('../../../../functions/api/reference/assets/', import.meta.url);
const { html, contentSecurityPolicy } = docsPage();

const inside = (tag: 'style' | 'script'): string => {
  const found = [...html.matchAll(new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`, 'g'))];
  expect(found).toHaveLength(1);
  return found[0]?.[1] ?? '';
};

describe('the page', () => {
  test('names no address of another host', () => {
    const svgNamespace = 'http://www.w3.org/2000/svg';
    expect(html.replace(svgNamespace, '')).not.toMatch(/https?:\/\//i);
    expect(html).not.toMatch(/(?:src|href)=["']\/\//i);
  });

  test('carries every style and script of its folder', () => {
    const linkOrExport = /^(?:import [^;]+;\n|export )/gm;
    const names = readdirSync(assets).filter((name) => /\.(?:js|css)$/.test(name));
    expect(names.length).toBeGreaterThan(2);
    for (const name of names) {
      const source = readFileSync(new URL(name, assets), 'utf8').replace(linkOrExport, '');
      expect(inside(name.endsWith('.css') ? 'style' : 'script'), name).toContain(source);
    }
  });

  test('has a script that is one valid module, in which no two files declare the same name', () => {
    const check = spawnSync(process.execPath, ['--check', '--input-type=module', '-'], { input: inside('script') });
    expect(check.stderr.toString()).toBe('');
    expect(check.status).toBe(0);
    expect(inside('script')).not.toMatch(/^(?:import|export)\b/m);
  });

  test('never turns text of the document into markup or code', () => {
    expect(inside('script')).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b/);
    expect(inside('script')).not.toMatch(/new Function|setTimeout\(['"`]/);
  });

  test('keeps no style or handler in attributes, which its policy would block', () => {
    expect(html).not.toMatch(/<[^>]+\s(?:style|on[a-z]+)=/i);
  });
});

describe('the content security policy', () => {
  const directives = new Map(
    contentSecurityPolicy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );
  const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

  test('allows exactly the script and the style that are in the page', () => {
    expect(directives.get('script-src')).toBe(digest(inside('script')));
    expect(directives.get('style-src')).toBe(digest(inside('style')));
  });

  test('allows requests to this service and nothing else', () => {
    expect(directives.get('default-src')).toBe("'none'");
    expect(directives.get('connect-src')).toBe("'self'");
    expect(directives.get('img-src')).toBe('data:');
    for (const name of ['base-uri', 'form-action', 'frame-ancestors']) expect(directives.get(name)).toBe("'none'");
    expect(contentSecurityPolicy).not.toMatch(/unsafe|\*/);
  });
});

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  example?: unknown;
  schema?: { type: string };
}
interface Operation {
  method: string;
  path: string;
  parameters: Parameter[];
  body?: { type: string };
}
interface Shown {
  method: string;
  url: string;
  headers: [string, string][];
  body?: string;
}
const request: {
  requestOf(
    api: { base: string },
    operation: Operation,
    values: { parameters: Map<Parameter, string>; body: string },
    options: { examplesForEmpty: boolean },
  ): Shown;
  curl(request: Shown, needsToken: boolean): string;
} = await import(new URL('request.js', assets).href);

describe('a request made from the form', () => {
  const api = { base: 'https://api.example/stage/' };
  const id: Parameter = { name: 'id', in: 'path', required: true, example: 'usr_1' };
  const metrics: Parameter = { name: 'metrics', in: 'query', schema: { type: 'array' } };
  const cursor: Parameter = { name: 'cursor', in: 'query' };
  const operation = { method: 'get', path: '/v1/users/{id}/daily', parameters: [id, metrics, cursor] };

  test('stays below the path the page is served from and leaves out what is empty', () => {
    const parameters = new Map([
      [id, 'a/b $&'],
      [metrics, 'steps, sleep'],
      [cursor, ' '],
    ]);
    const made = request.requestOf(api, operation, { parameters, body: '' }, { examplesForEmpty: false });
    expect(made.url).toBe('https://api.example/stage/v1/users/a%2Fb%20%24%26/daily?metrics=steps&metrics=sleep');
  });

  test('shows the example of a required parameter until something is typed', () => {
    const made = request.requestOf(api, operation, { parameters: new Map(), body: '' }, { examplesForEmpty: true });
    expect(made.url).toBe('https://api.example/stage/v1/users/usr_1/daily');
  });

  test('reaches a shell through curl exactly as it is, whatever the body holds', () => {
    const text = fc.string({
      unit: fc.constantFrom("'", '"', '\\', '$', '`', '\n', ' ', '!', 'é', 'a', '{'),
      minLength: 1,
    });
    fc.assert(
      fc.property(text, (body) => {
        const shown: Shown = { method: 'POST', url: 'https://api.example/v1/x', headers: [['X-Note', "it's"]], body };
        const script = `curl() { for part in "$@"; do printf '%s\\0' "$part"; done; }\n${request.curl(shown, true)}`;
        const { stdout } = spawnSync('sh', ['-c', script], { env: { DAYBOOK_TOKEN: 'sk_sandbox_1' } });
        expect(stdout.toString().split('\0').slice(0, -1)).toEqual([
          ...['-X', 'POST', shown.url, '-H', 'Authorization: Bearer sk_sandbox_1', '-H', "X-Note: it's"],
          ...['--data-raw', body],
        ]);
      }),
      { numRuns: 60 },
    );
  });
});

interface Described {
  document: { components: { schemas: Record<string, object> } };
}
const schema: {
  typeName(api: Described, schema: object): string;
  limits(api: Described, schema: object): string[];
} = await import(new URL('schema.js', assets).href);

describe('a schema in words', () => {
  const api: Described = {
    document: {
      components: {
        schemas: {
          User: { type: 'object', properties: { id: { type: 'string' } } },
          Anything: {
            anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/components/schemas/Anything' } }],
          },
        },
      },
    },
  };

  test.each([
    [{ $ref: '#/components/schemas/User' }, 'User'],
    [{ anyOf: [{ $ref: '#/components/schemas/User' }, { type: 'null' }] }, 'User or null'],
    [{ type: ['integer', 'null'] }, 'integer or null'],
    [{ type: 'array', items: { type: 'string', format: 'date' } }, 'array of date'],
    [{ type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }] }, '[number, number]'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'map of number'],
    [{}, 'any'],
  ])('%j is named %s', (given, name) => expect(schema.typeName(api, given)).toBe(name));

  test('a type that contains itself has a finite name', () => {
    expect(schema.typeName(api, { $ref: '#/components/schemas/Anything' })).toBe('string or array of Anything');
  });

  test.each([
    [{ type: 'integer', minimum: 1, maximum: 100, default: 50 }, ['1 to 100', 'default `50`']],
    [{ type: 'integer', minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }, []],
    [{ type: 'string', minLength: 1, maxLength: 1 }, ['exactly 1 character']],
    [{ type: 'array', minItems: 2 }, ['at least 2 items']],
    [{ type: 'string', format: 'date', pattern: '^x$' }, []],
  ])('%j is limited to %j', (given, limits) => expect(schema.limits(api, given)).toEqual(limits));
});
