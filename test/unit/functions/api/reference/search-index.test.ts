import { describe, expect, test } from 'vitest';
import { docsPages } from '../../../../../functions/api/docs-kit/docs-page.ts';
import { renderErrorsPage } from '../../../../../functions/api/guides/errors-page.ts';
import { renderWebhooksPage } from '../../../../../functions/api/guides/webhooks-page.ts';
import { maxResults, rankEntries } from '../../../../../functions/api/reference/browser/rank-entries.ts';
import { SearchIndex } from '../../../../../functions/api/reference/browser/search-entry.ts';
import { findGroupPage } from '../../../../../functions/api/reference/reference-page.ts';
import { buildSearchIndex } from '../../../../../functions/api/reference/search-index.ts';
import { searchWords } from '../../../../../functions/api/reference/search-words.ts';

describe.each([1, 2] as const)('the search of the reference of Form %i', (form) => {
  const { entries } = SearchIndex.parse(buildSearchIndex(form));
  const find = (query: string) => rankEntries(entries, query);
  const first = (query: string) => find(query)[0];

  test('is small enough to load while the reader types', () => {
    expect(JSON.stringify(entries).length).toBeLessThan(120_000);
  });

  test('finds calls, parameters, fields, error codes, event types and guides', () => {
    const group = form === 1 ? 'docs/form1' : 'docs/reference';
    expect(first('delete a user')?.slice(0, 4)).toEqual([
      'call',
      expect.any(String),
      form === 1 ? 'DELETE /v1/users/{user_id}' : 'DELETE /v1/users/{id}',
      `${group}/users#deleteUser`,
    ]);
    expect(first('unit_system')?.[0]).toBe('parameter');
    expect(find('duration_minutes').map(([kind]) => kind)).toContain('field');
    expect(first('invalid_token')).toMatchObject([
      'error',
      'invalid_token',
      expect.stringMatching(/^401\. /),
      'docs/errors#invalid_token',
    ]);
    expect(first('data.updated')).toMatchObject([
      'event',
      'data.updated',
      expect.any(String),
      'docs/webhooks#data.updated',
    ]);
    expect(first('reporting a vulnerability')?.slice(0, 4)).toEqual([
      'guide',
      'Reporting a vulnerability',
      'Security',
      'docs/security#report',
    ]);
  });

  test.each([
    ['CORS', 'docs/security'],
    ['GDPR', 'docs/data-protection'],
    ['HIPAA', 'docs/data-protection'],
    ['iOS', '#openSdkSession'],
    ['apple health', '#uploadSdkData'],
    ['cost', 'docs/quickstart#cost'],
    ['backfill', '#connectDevice'],
    ['import', '#uploadSdkData'],
    ['getting started', 'docs/quickstart'],
    ['right to be forgotten', 'docs/erasure'],
    ['how can users be erased without their receipt', 'docs/erasure'],
    ['how do I erase my users', 'docs/erasure'],
  ])('finds what people type: %s', (query, address) => {
    const found = find(query).slice(0, 8);
    expect(found.map(([, , , each]) => each)).toContainEqual(expect.stringContaining(address));
  });

  test('adds words only to places that exist', () => {
    const places = new Set(entries.map(([, , , address]) => address));
    const names = new Set([...places].map((address) => address.replace(/^.*\/(?:form1|reference)\/.*#/, '')));
    expect(Object.keys(searchWords).filter((place) => !names.has(place))).toEqual([]);
  });

  test('needs every word, in any order, and shows a limited number of results', () => {
    expect(first('users post')?.[2]).toBe('POST /v1/users');
    expect(find('users zebra')).toEqual([]);
    expect(find('zebra without')).toEqual([]);
    expect(find('without')).not.toEqual([]);
    for (const [, title, detail] of find('without')) expect(`${title} ${detail}`.toLowerCase()).toContain('without');
    expect(find('   ')).toEqual([]);
    expect(find('e')).toHaveLength(maxResults);
  });

  test('leads only to places that exist', () => {
    const guides = new Set<string>(docsPages.map(({ path }) => path.slice(1)));
    for (const [kind, , , address] of entries) {
      const [path = '', id] = address.split('#');
      const slug = /^docs\/(?:form1|reference)\/([\w-]+)$/.exec(path)?.[1];
      if (kind === 'error') expect(renderErrorsPage().html).toContain(`id="${id}"`);
      else if (kind === 'event') expect(renderWebhooksPage('').html).toContain(`id="${id}"`);
      else if (kind === 'guide') expect(guides).toContain(path);
      else expect(findGroupPage(form, slug ?? '')?.html).toContain(`<article id="${id}"`);
    }
  });
});
