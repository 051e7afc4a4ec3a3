// What is fetched from a vendor is read by the normalizer that is registered for it, not by whoever fetched it.
import { describe, expect, test } from 'vitest';
import { cloudProviderIds } from '../../../shared/catalog/provider.ts';
import { getProviderAdapter, getPushAdapter } from '../../../shared/providers/adapters.ts';
import { providerDescriptors } from '../../../shared/providers/catalog.ts';
import { getNormalizer } from '../../../shared/providers/normalizers.ts';
import { getSetupGuide } from '../../../shared/providers/setup-guides.ts';
import { getSimulator } from '../../../shared/sandbox/simulated-providers/simulators.ts';

describe.each(cloudProviderIds)('%s', (provider) => {
  const descriptor = providerDescriptors[provider];
  const push = getPushAdapter(provider);

  test('is read in the format that it writes now', async () => {
    expect(await getNormalizer({ source: provider, format: providerDescriptors[provider].format })).toBeTypeOf(
      'function',
    );
  });

  test('is the vendor of its own descriptor', () => {
    expect(descriptor.id).toBe(provider);
  });

  test('pushes where it says so, and nowhere else', () => {
    expect(push !== null).toBe(descriptor.push !== null);
    expect(descriptor.delivery.includes('push')).toBe(push !== null);
    expect(getSimulator(provider).buildPushes !== undefined).toBe(push !== null);
  });

  test('gives a secret for its pushes only where the deployment subscribes', () => {
    const subscribes = getProviderAdapter(provider).subscriptions?.ensureForDeployment !== undefined;
    expect(subscribes || !descriptor.push?.hasSubscriptionSecret).toBe(true);
  });

  test('tells a team how to set it up', () => {
    const { portal, steps } = getSetupGuide(provider);
    expect(portal).toMatch(/^https:\/\//);
    expect(steps.length).toBeGreaterThanOrEqual(3);
    expect(steps.join(' ')).toContain(`/connect/callback/${provider}`);
  });
});
