// What is fetched from a vendor is read by the normalizer that is registered for it, not by whoever fetched it.
import { describe, expect, test } from 'vitest';
import { cloudProviderIds } from '../../../shared/model/provider.ts';
import { adapterOf } from '../../../shared/providers/adapters.ts';
import { providers } from '../../../shared/providers/catalog.ts';
import { normalizerFor } from '../../../shared/providers/normalizers.ts';
import { shapesOf } from '../../../shared/sandbox/vendor/every-shape.ts';

describe.each(cloudProviderIds)('%s', (provider) => {
  const adapter = adapterOf(provider);

  test('is read in the format that it writes now', () => {
    expect(normalizerFor({ source: provider, format: adapter.format })).toBe(adapter.normalize);
  });

  test('is the vendor of its own descriptor', () => {
    expect(adapter.descriptor).toBe(providers[provider]);
    expect(adapter.descriptor.id).toBe(provider);
  });

  test('pushes where it says so, and nowhere else', () => {
    expect(adapter.push !== undefined).toBe(adapter.descriptor.push !== null);
    expect(adapter.descriptor.delivery.includes('push')).toBe(adapter.push !== undefined);
    expect(shapesOf(provider).pushes !== undefined).toBe(adapter.push !== undefined);
  });

  test('tells a team how to set it up', () => {
    const { portal, steps } = adapter.descriptor.setup;
    expect(portal).toMatch(/^https:\/\//);
    expect(steps.length).toBeGreaterThanOrEqual(3);
    expect(steps.join(' ')).toContain(`/connect/callback/${provider}`);
  });
});
