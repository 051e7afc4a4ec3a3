// What is fetched from a vendor is read by the normalizer that is registered for it, not by whoever fetched it.
import { describe, expect, test } from 'vitest';
import { cloudProviderIds } from '../../../shared/catalog/provider.ts';
import { adapterOf, pushOf } from '../../../shared/providers/adapters.ts';
import { providers } from '../../../shared/providers/catalog.ts';
import { normalizerFor } from '../../../shared/providers/normalizers.ts';
import { setupOf } from '../../../shared/providers/setups.ts';
import { shapesOf } from '../../../shared/sandbox/simulated-providers/every-shape.ts';

describe.each(cloudProviderIds)('%s', (provider) => {
  const descriptor = providers[provider];
  const push = pushOf(provider);

  test('is read in the format that it writes now', async () => {
    expect(await normalizerFor({ source: provider, format: providers[provider].format })).toBeTypeOf('function');
  });

  test('is the vendor of its own descriptor', () => {
    expect(descriptor.id).toBe(provider);
  });

  test('pushes where it says so, and nowhere else', () => {
    expect(push !== null).toBe(descriptor.push !== null);
    expect(descriptor.delivery.includes('push')).toBe(push !== null);
    expect(shapesOf(provider).pushes !== undefined).toBe(push !== null);
  });

  test('gives a secret for its pushes only where the deployment subscribes', () => {
    const subscribes = adapterOf(provider).subscriptions?.ofDeployment !== undefined;
    expect(subscribes || !descriptor.push?.secretGiven).toBe(true);
  });

  test('tells a team how to set it up', () => {
    const { portal, steps } = setupOf(provider);
    expect(portal).toMatch(/^https:\/\//);
    expect(steps.length).toBeGreaterThanOrEqual(3);
    expect(steps.join(' ')).toContain(`/connect/callback/${provider}`);
  });
});
