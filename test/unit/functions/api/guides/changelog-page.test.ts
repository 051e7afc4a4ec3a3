import { describe, expect, test } from 'vitest';
import { changelog } from '../../../../../functions/api/guides/changelog.ts';
import { renderChangelogPage } from '../../../../../functions/api/guides/changelog-page.ts';
import { contract, form1Contract } from '../../../../../functions/api/reference/contract.ts';
import { isDocumented } from '../../../../../shared/http/endpoint.ts';
import { checkScriptlessPage } from '../docs-kit/page-checks.ts';

const documented = new Set(
  [...contract, ...form1Contract]
    .filter(isDocumented)
    .map(({ route }) => `${route.method.toUpperCase()} ${route.path}`),
);

describe('the changelog', () => {
  test('names only calls that the OpenAPI documents have', () => {
    const calls = changelog.flatMap(({ changes }) => changes.flatMap((change) => change.calls));
    expect(calls.length).toBeGreaterThan(10);
    expect(calls.filter((call) => !documented.has(call))).toEqual([]);
  });

  test('has the newest day first, and each day once', () => {
    const dates = changelog.map(({ date }) => date);
    expect(dates).toEqual([...new Set(dates)].toSorted().toReversed());
  });

  test('shows every change with its calls', () => {
    const { html } = renderChangelogPage();
    for (const { date, changes } of changelog) {
      expect(html).toContain(`<h3 id="${date}">${date}</h3>`);
      for (const { calls } of changes) for (const call of calls) expect(html).toContain(`<code>${call}</code>`);
    }
  });
});

checkScriptlessPage(renderChangelogPage(), '/docs/changelog');
