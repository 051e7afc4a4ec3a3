import { describe, expect, test } from 'vitest';
import { docsPages } from '../../../../../functions/api/docs-kit/docs-page.ts';
import { referenceApi } from '../../../../../functions/api/reference/app.ts';
import { renderHomePage } from '../../../../../functions/api/reference/home-page.ts';
import { docs, home } from '../../../../../functions/api/reference/routes.ts';
import { ServiceIndex } from '../../../../../functions/api/reference/service-index.ts';
import { isDocumented } from '../../../../../shared/http/endpoint.ts';
import type { DeploymentFacts } from '../../../../../shared/system/deps.ts';
import { requestInProcess } from '../../../../harness/in-process-request.ts';
import { memoryDeps } from '../../../../harness/memory-deps.ts';
import { checkScriptlessPage } from '../docs-kit/page-checks.ts';

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const open = (
  headers: Record<string, string>,
  { method = 'GET', origin = 'https://day.example', deployment = { kind: 'aws' } as DeploymentFacts } = {},
) => requestInProcess(referenceApi({ ...memoryDeps().deps, deployment }), '/', { method, headers, origin });
const linksOf = (html: string): string[] =>
  [...(/<main.*<\/main>/s.exec(html)?.[0] ?? '').matchAll(/href="([^"]+)"/g)].map(([, href = '']) => `/${href}`);

describe.each([false, true])('the first page (on a local host: %s)', (hasMailbox) => {
  const page = renderHomePage({ hasMailbox });
  checkScriptlessPage(page, '/');

  test('links to every page of the documentation, to the OpenAPI documents and to the health check', () => {
    const expected = [
      '/console',
      ...docsPages.map(({ path }) => path),
      '/openapi.json',
      '/openapi.form1.json',
      '/healthz',
    ];
    expect(linksOf(page.html).toSorted()).toEqual([...expected, ...(hasMailbox ? ['/mailbox'] : [])].toSorted());
  });
});

describe('GET /', () => {
  test('is a page for a browser, which may be cached and revalidated', async () => {
    const response = await open(browser);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('vary')?.split(', ')).toContain('Accept');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const etag = response.headers.get('etag') ?? '';
    const again = await open({ ...browser, 'if-none-match': etag });
    expect([again.status, again.headers.get('vary')]).toEqual([304, response.headers.get('vary')]);
    const program = await open({ 'if-none-match': etag });
    expect(program.status).toBe(200);
  });

  test.each([[{ accept: 'application/json' }], [{ accept: '*/*' }], [{ accept: 'text/html;q=0, */*' }], [{}]])(
    'is JSON for a program that sends %j, and every link is an address of this deployment',
    async (headers) => {
      const response = await open(headers);
      expect(response.headers.get('content-type')).toContain('application/json');
      const { name, links } = ServiceIndex.parse(await response.json());
      expect(name).toBe('Daybook');
      const paths = [
        '/console',
        ...docsPages.map(({ path }) => path),
        '/openapi.json',
        '/openapi.form1.json',
        '/healthz',
      ];
      expect(Object.values(links).toSorted()).toEqual(paths.map((path) => `https://day.example${path}`).toSorted());
    },
  );

  test('is in the OpenAPI document, because programs get JSON', () => {
    expect(isDocumented(home)).toBe(true);
    expect(isDocumented(docs)).toBe(false);
  });

  test('has the same headers for HEAD, without a body', async () => {
    const [head, get] = [await open(browser, { method: 'HEAD' }), await open(browser)];
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, get.headers.get('etag'), '']);
  });

  test.each([
    ['a local host', 'http://localhost:8787', { kind: 'local', mailSender: 'a@b.example' }, true],
    ['a local host that stores no mail', 'http://localhost:8787', { kind: 'local' }, false],
    ['a local host behind a tunnel', 'https://tunnel.example', { kind: 'local', mailSender: 'a@b.example' }, false],
    ['a deployment on AWS', 'https://day.example', { kind: 'aws', mailSender: 'a@b.example' }, false],
    [
      'a deployment on AWS behind a local proxy',
      'http://localhost:8787',
      { kind: 'aws', mailSender: 'a@b.example' },
      false,
    ],
  ] as const)('links to the mailbox only where there is one: %s', async (_where, origin, deployment, isLinked) => {
    const text = await (await open(browser, { origin, deployment })).text();
    expect(text.includes('href="mailbox"')).toBe(isLinked);
  });
});
