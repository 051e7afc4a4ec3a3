import { describe, expect, test } from 'vitest';
import { sampleRow } from '../../../shared/catalog/metrics.ts';
import { cloudProviderIds, providerIds, sdkProviderIds } from '../../../shared/catalog/provider.ts';
import { ProviderCatalog } from '../../../shared/catalog/provider-catalog.ts';
import { providerDescriptors, renderProviderCatalog } from '../../../shared/providers/catalog.ts';

describe('the provider catalog', () => {
  test('lists every provider once, in the documented shape', () => {
    const providers = renderProviderCatalog(() => []).map((each) => ({ ...each, poll_interval_seconds: 900 }));
    expect(ProviderCatalog.parse({ providers })).toEqual({ providers });
    expect(providers.map(({ id }) => id)).toEqual([...providerIds]);
  });

  test('a provider is available if none of its credentials is missing', () => {
    const providers = renderProviderCatalog((id) => (id === 'whoop' ? [] : ['client_secret']));
    expect(providers.filter(({ available }) => available).map(({ id }) => id)).toEqual(['whoop']);
    for (const { id, missing } of providers) expect(missing).toEqual(id === 'whoop' ? [] : ['client_secret']);
  });

  test.each(providerIds.map((id) => [id, providerDescriptors[id]] as const))(
    '%s is listed under its own id and covers at least one metric',
    (id, provider) => {
      expect(provider.id).toBe(id);
      expect(provider.metrics.length).toBeGreaterThan(0);
      expect(new Set(provider.metrics).size).toBe(provider.metrics.length);
      expect(provider.delivery.length).toBeGreaterThan(0);
      expect(provider.historyDays).toBeGreaterThan(0);
    },
  );

  test('derives the categories from the metrics', () => {
    for (const provider of renderProviderCatalog(() => [])) {
      expect(new Set(provider.categories)).toEqual(new Set(provider.metrics.map((id) => sampleRow(id).category)));
    }
  });

  test.each(sdkProviderIds)('%s only pushes, reaches back two years and requests no cloud scope', (id) => {
    expect(providerDescriptors[id]).toMatchObject({
      connection: 'sdk',
      delivery: ['push'],
      historyDays: 730,
      scopes: [],
    });
  });

  test.each(cloudProviderIds)('%s uses https for every URL', (id) => {
    const { oauth, apiUrl } = providerDescriptors[id];
    const urls = [apiUrl, oauth.authorizeUrl, oauth.tokenUrl, oauth.refreshUrl ?? oauth.tokenUrl];
    for (const url of urls) expect(new URL(url).protocol).toBe('https:');
  });

  test('claims a kind of heart rate variability only from providers that measure that kind', () => {
    const reporting = (metric: string) =>
      renderProviderCatalog(() => [])
        .filter(({ metrics }) => metrics.some((id) => id === metric))
        .map(({ id }) => id);
    expect(reporting('heart_rate_variability')).toEqual(['withings', 'google_health', 'apple_health']);
    expect(reporting('heart_rate_variability_rmssd')).not.toContain('apple_health');
    expect(reporting('sleep_heart_rate_variability')).not.toContain('apple_health');
  });

  test('claims no temperature from providers that report deviations only', () => {
    for (const id of ['oura', 'garmin'] as const) {
      expect(providerDescriptors[id].metrics.filter((metric) => metric.endsWith('temperature'))).toEqual([]);
    }
  });
});
