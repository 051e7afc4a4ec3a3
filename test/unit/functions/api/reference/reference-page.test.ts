import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { DocumentedSchema, Parameter } from '../../../../../functions/api/reference/browser/openapi-document.ts';
import {
  type BuiltRequest,
  buildCurlCommand,
  buildRequest,
} from '../../../../../functions/api/reference/browser/request.ts';
import { describeType, listLimits } from '../../../../../functions/api/reference/browser/schema-text.ts';
import { contract, form1Contract } from '../../../../../functions/api/reference/contract.ts';
import { groupAddress, listGroups } from '../../../../../functions/api/reference/reference-groups.ts';
import { findGroupPage, renderOverviewPage } from '../../../../../functions/api/reference/reference-page.ts';
import { isDocumented } from '../../../../../shared/http/endpoint.ts';
import type { ApiForm } from '../../../../../shared/system/caller.ts';
import { documentStub } from '../docs-kit/document-stub.ts';
import { checkScriptedPage } from '../docs-kit/page-checks.ts';

const forms = [
  { form: 1, overview: '/docs/form1', document: 'openapi.form1.json', title: 'Daybook API reference, Form 1' },
  { form: 2, overview: '/docs', document: 'openapi.json', title: 'Daybook API reference' },
] as const;

function getGroupPage(form: ApiForm, slug: string) {
  const page = findGroupPage(form, slug);
  if (!page) throw new Error(`there is no page for ${slug}`);
  return page;
}

const bases = ['https://api.example', 'https://api.example/stage'];

describe.each(forms)('the reference of Form $form', ({ form, overview, document, title }) => {
  const groups = listGroups(form);
  const operationIds = (form === 1 ? form1Contract : contract)
    .filter(isDocumented)
    .map(({ route }) => route.operationId);

  checkScriptedPage(renderOverviewPage(form), overview);
  describe('a group', () => checkScriptedPage(getGroupPage(form, 'users'), `/${groupAddress(form, 'users')}`));

  test('has every documented operation on the page of one group, and no other', () => {
    const shown = groups.flatMap(({ slug }) =>
      [...getGroupPage(form, slug).html.matchAll(/<article id="(\w+)"/g)].map(([, id]) => id),
    );
    expect(shown.toSorted()).toEqual(operationIds.toSorted());
    expect(shown).not.toContain('receivePush');
    expect(shown).not.toContain('getDocs');
  });

  test('leads from the overview, and from addresses of operations on it, to the page of the group', () => {
    const { html } = renderOverviewPage(form);
    const items = [...html.matchAll(/<li id="(\w+)"><a href="([^"]+)" data-operation>/g)];
    expect(items.map(([, id]) => id).toSorted()).toEqual(operationIds.toSorted());
    for (const [, id = '', href = ''] of items)
      for (const base of bases) {
        const { pathname, hash } = new URL(href, base + overview);
        const slug = pathname.split('/').at(-1) ?? '';
        expect([`${base.replace(/^https:..[^/]+/, '')}/${groupAddress(form, slug)}`, hash]).toEqual([
          pathname,
          `#${id}`,
        ]);
        expect(getGroupPage(form, slug).html).toContain(`<article id="${id}"`);
      }
  });

  test('can be read without a script: each call with its description and its parameters', () => {
    const { html } = getGroupPage(form, 'users');
    expect(html).toContain('<span class="method method-delete">DELETE</span>');
    expect(html).toMatch(/<a href="\.\.\/\.\.\/docs\/erasure">\/docs\/erasure<\/a>/);
    expect(html).toMatch(/<code class="field-name">limit<\/code>|<code class="field-name">per_page<\/code>/);
  });

  test('links to its document, wherever the service is mounted', () => {
    const pages = [
      { html: renderOverviewPage(form).html, path: overview },
      { html: getGroupPage(form, 'users').html, path: `/${groupAddress(form, 'users')}` },
    ];
    for (const { html, path } of pages) {
      const links = [...html.matchAll(/href="([^"]*openapi[^"]*)"/g)].map(([, href = '']) => href);
      expect(links).toHaveLength(2);
      for (const base of bases)
        for (const href of links) expect(new URL(href, base + path).href).toBe(`${base}/${document}`);
    }
    expect(renderOverviewPage(form).html).toContain(`<title>${title}</title>`);
    expect(getGroupPage(form, 'users').html).toContain(`<title>Users · ${title}</title>`);
  });

  test('has no page for a group that does not exist', () => {
    for (const slug of ['', 'Users', 'provider-pushes', '../users']) expect(findGroupPage(form, slug)).toBeUndefined();
  });
});

describe('a request built from the form', () => {
  const api = { base: 'https://api.example/stage/' };
  const id: Parameter = { name: 'id', in: 'path', required: true, example: 'usr_1' };
  const metrics: Parameter = { name: 'metrics', in: 'query', schema: { type: 'array' } };
  const cursor: Parameter = { name: 'cursor', in: 'query' };
  const operation = {
    method: 'get' as const,
    path: '/v1/users/{id}/daily',
    parameters: [id, metrics, cursor],
    shownParameters: [],
    body: undefined,
  };

  test('stays below the path of the page and leaves out empty parameters', () => {
    const parameters = new Map([
      [id, 'a/b $&'],
      [metrics, 'steps, sleep'],
      [cursor, ' '],
    ]);
    const built = buildRequest(api, operation, { parameters, body: '' }, { shouldFillExamples: false });
    expect(built.url).toBe('https://api.example/stage/v1/users/a%2Fb%20%24%26/daily?metrics=steps&metrics=sleep');
  });

  test('shows the example of a required parameter until a value is typed', () => {
    const built = buildRequest(api, operation, { parameters: new Map(), body: '' }, { shouldFillExamples: true });
    expect(built.url).toBe('https://api.example/stage/v1/users/usr_1/daily');
    const values = { parameters: new Map([[id, 'usr_2']]), body: '' };
    const typed = buildRequest(api, operation, values, { shouldFillExamples: true });
    expect(typed.url).toBe('https://api.example/stage/v1/users/usr_2/daily');
  });

  test('shows parameters that are needed together until one way is chosen, and sends none of them by default', () => {
    const metricsWithExample = { ...metrics, example: 'steps' };
    const either = { ...operation, parameters: [id, metricsWithExample, cursor], shownParameters: ['metrics'] };
    const built = (parameters: Map<Parameter, string>, shouldFillExamples: boolean) =>
      buildRequest(api, either, { parameters, body: '' }, { shouldFillExamples }).url.split('?')[1];
    expect(built(new Map(), true)).toBe('metrics=steps');
    expect(built(new Map([[id, 'usr_2']]), true)).toBe('metrics=steps');
    expect(built(new Map([[cursor, 'x']]), true)).toBe('cursor=x');
    expect(built(new Map(), false)).toBeUndefined();
  });

  test('reaches a shell through curl unchanged, for any body', () => {
    const text = fc.string({
      unit: fc.constantFrom("'", '"', '\\', '$', '`', '\n', ' ', '!', 'é', 'a', '{'),
      minLength: 1,
    });
    fc.assert(
      fc.property(text, (body) => {
        const shown: BuiltRequest = {
          method: 'POST',
          url: 'https://api.example/v1/x',
          headers: [['X-Note', "it's"]],
          body,
        };
        const script = `curl() { for part in "$@"; do printf '%s\\0' "$part"; done; }\n${buildCurlCommand(shown, true)}`;
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

/** It builds nodes, so it has the types of browsers. */
const descriptionModule = new URL('../../../../../functions/api/docs-kit/browser/description.ts', import.meta.url).href;

describe('a description', () => {
  const shown = async (text: string, href = 'https://api.example/stage/docs/form1#deleteUser'): Promise<string> => {
    vi.stubGlobal('document', documentStub);
    vi.stubGlobal('location', { href });
    const { renderInline }: { renderInline(text: string): object[] } = await import(descriptionModule);
    return renderInline(text).join('');
  };
  afterEach(() => vi.unstubAllGlobals());

  test.each(['/docs', '/docs/form1/users', '/docs/reference/users#deleteUser', '/docs?x=/docs'])(
    'at %s links to a page of this service, wherever it is mounted',
    async (path) => {
      for (const base of [
        'https://api.example',
        'https://api.example/stage',
        'https://api.example/docs-of-it',
        'https://docs',
      ])
        expect(await shown('See [/docs/erasure](/docs/erasure) and `x`.', base + path)).toBe(
          `See <a href="${base}/docs/erasure">/docs/erasure</a> and <code>x</code>.`,
        );
    },
  );

  test.each([
    '[x](//evil.example)',
    '[x](//evil)',
    '[x](https://evil.example)',
    '[x](javascript:alert)',
    '[x](/\\evil.example)',
    '[x](docs)',
    '[x](/a:b)',
  ])('leaves %s as text', async (text) => {
    expect(await shown(text)).toBe(text);
  });
});

describe('a schema in words', () => {
  const api = {
    base: 'https://api.example/',
    acceptsSession: false,
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

  test.each<[DocumentedSchema, string]>([
    [{ $ref: '#/components/schemas/User' }, 'User'],
    [{ anyOf: [{ $ref: '#/components/schemas/User' }, { type: 'null' }] }, 'User or null'],
    [{ type: ['integer', 'null'] }, 'integer or null'],
    [{ type: 'array', items: { type: 'string', format: 'date' } }, 'array of date'],
    [{ type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }] }, '[number, number]'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'map of number'],
    [{}, 'any'],
  ])('%j is named %s', (schemaInput, name) => expect(describeType(api, schemaInput)).toBe(name));

  test('a type that contains itself has a finite name', () => {
    expect(describeType(api, { $ref: '#/components/schemas/Anything' })).toBe('string or array of Anything');
  });

  test.each<[DocumentedSchema, string[]]>([
    [{ type: 'integer', minimum: 1, maximum: 100, default: 50 }, ['1 to 100', 'default `50`']],
    [{ type: 'integer', minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }, []],
    [{ type: 'string', minLength: 1, maxLength: 1 }, ['exactly 1 character']],
    [{ type: 'array', minItems: 2 }, ['at least 2 items']],
    [{ type: 'string', format: 'date', pattern: '^x$' }, []],
  ])('%j is limited to %j', (schemaInput, limits) => expect(listLimits(api, schemaInput)).toEqual(limits));
});
