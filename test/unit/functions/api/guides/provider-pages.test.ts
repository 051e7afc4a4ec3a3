import { describe, expect, test } from 'vitest';
import { renderProviderPage } from '../../../../../functions/api/guides/provider-page.ts';
import { renderProvidersPage } from '../../../../../functions/api/guides/providers-page.ts';
import { sampleIds, sampleRow } from '../../../../../shared/catalog/metrics.ts';
import { cloudProviderIds, providerIds, sdkProviderIds } from '../../../../../shared/catalog/provider.ts';
import { settingNames } from '../../../../../shared/platform/setting-names.ts';
import { providerDescriptors } from '../../../../../shared/providers/catalog.ts';
import { getProviderLabel } from '../../../../../shared/providers/provider-label.ts';
import { getSetupGuide } from '../../../../../shared/providers/setup-guides.ts';
import { checkScriptlessPage, parseDirectives } from '../docs-kit/page-checks.ts';

const base = 'https://api.example.com';
const { html } = renderProvidersPage();

checkScriptlessPage(renderProvidersPage(), '/docs/providers');

describe('the provider comparison page', () => {
  test('links to the page of every provider', () => {
    for (const id of providerIds) expect(html).toContain(`<a href="providers/${id}">${getProviderLabel(id)}</a>`);
  });

  test('marks exactly the metrics that each provider reports', () => {
    const rows = [...html.matchAll(/<th role="rowheader" scope="row">([^<]+)<\/th>(.*?)<\/tr>/gs)];
    const rendered = rows.map(([, metric, cells = '']) => [
      metric,
      [...cells.matchAll(/class="name">([^<]+)</g)].map(([, name]) => name),
    ]);
    const expected = sampleIds
      .map(sampleRow)
      .filter(({ id }) => providerIds.some((each) => providerDescriptors[each].metrics.includes(id)))
      .map(({ id, displayName }) => [
        displayName,
        providerIds
          .filter((each) => providerDescriptors[each].metrics.includes(id))
          .map((each) => getProviderLabel(each)),
      ]);
    expect(Object.fromEntries(rendered.filter(([, names]) => names && names.length > 0))).toEqual(
      Object.fromEntries(expected),
    );
  });

  test('describes how each provider delivers and how often it may be called', () => {
    expect(html).toContain(
      'Polled every 15 minutes while data arrives, and every hour at night and when no data arrives.',
    );
    expect(html).toContain('Polled every 15 minutes until the first push of a user arrives');
    expect(html).toContain(
      '5,000 requests in 5 minutes. Polls reach about 1,168 people every 15 minutes, or 4,675 every hour',
    );
    expect(html).toContain('Polls reach about 1 person every 15 minutes, or 4 every hour');
    expect(html).toMatch(/100 requests a minute<\/td>/);
    expect(html).not.toMatch(/for day|\b1 (?:days|hours|minutes)|undefined|NaN/);
  });
});

describe.each(cloudProviderIds.map((id) => [id, providerDescriptors[id]] as const))(
  'the setup page of %s',
  (id, provider) => {
    const page = renderProviderPage(id, base);

    test('shows the URLs of this deployment, without a secret in them', () => {
      expect(page.html).toContain(`${base}/connect/callback/${id}`);
      if (provider.push) expect(page.html).toContain(`${base}/v1/providers/${id}/push`);
      expect(page.html.includes(`npm run -s daybook -- providers show ${id}`)).toBe(
        provider.push?.hasSecretPath ?? false,
      );
      expect(page.html).not.toContain('{base_url}');
    });

    test('says whether a PKCE challenge is sent', () => {
      expect(page.html.includes('An S256 challenge is sent.')).toBe(provider.oauth.pkce);
      expect(page.html.includes('does not document PKCE, so no challenge is sent.')).toBe(!provider.oauth.pkce);
    });

    test('lists every step, every credential and everything unconfirmed', () => {
      const { portal, steps, unconfirmed } = getSetupGuide(id);
      expect(page.html).toContain(`<a href="${portal}"`);
      expect(page.html.match(/<li>/g)?.length ?? 0).toBe(steps.length + unconfirmed.length);
      for (const { name } of provider.credentials) expect(page.html).toContain(`<code>${name}</code>`);
      for (const scope of provider.scopes) expect(page.html).toContain(scope);
    });

    test('shows a setting that a local deployment understands', () => {
      const [, name, value = ''] = /export (\w+)='(.*)'/.exec(page.html) ?? [];
      expect(name).toBe(settingNames.provider(id));
      const required = provider.credentials.filter((each) => each.required).map((each) => each.name);
      expect(Object.keys(JSON.parse(value.replaceAll('&quot;', '"')))).toEqual([
        'client_id',
        'client_secret',
        ...required,
      ]);
    });

    test('runs no script and loads nothing', () => {
      expect(page.html).not.toMatch(/<script|<img|\sstyle=/i);
      expect(parseDirectives(page).get('default-src')).toBe("'none'");
    });
  },
);

test.each(sdkProviderIds)('%s needs no setup, and its page says how apps send its data', (id) => {
  const { html: rendered } = renderProviderPage(id, base);
  expect(rendered).toContain('/sdk-sessions');
  expect(rendered).not.toContain('client_secret');
});

test('a URL is escaped on the page', () => {
  expect(renderProviderPage('oura', 'https://a.example/"><b>$&').html).toContain(
    'https://a.example/&quot;&gt;&lt;b&gt;$&amp;/connect',
  );
});
