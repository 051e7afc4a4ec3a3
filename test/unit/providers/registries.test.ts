// Data of a provider is read by the normalizer that is registered for it, not by the adapter that
// fetched it.
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

  test('has a normalizer for its current format', async () => {
    expect(await getNormalizer({ source: provider, format: providerDescriptors[provider].format })).toBeTypeOf(
      'function',
    );
  });

  test('has a descriptor with its own id', () => {
    expect(descriptor.id).toBe(provider);
  });

  test('pushes exactly when its descriptor declares it', () => {
    expect(push !== null).toBe(descriptor.push !== null);
    expect(descriptor.delivery.includes('push')).toBe(push !== null);
    expect(getSimulator(provider).buildPushes !== undefined).toBe(push !== null);
  });

  test('has a subscription secret only if the deployment subscribes', () => {
    const subscribes = getProviderAdapter(provider).subscriptions?.ensureForDeployment !== undefined;
    expect(subscribes || !descriptor.push?.hasSubscriptionSecret).toBe(true);
  });

  test('has a setup guide for teams', () => {
    const { portal, steps } = getSetupGuide(provider);
    expect(portal).toMatch(/^https:\/\//);
    expect(steps.length).toBeGreaterThanOrEqual(3);
    expect(steps.join(' ')).toContain(`/connect/callback/${provider}`);
  });

  test('names its push address in the setup guide exactly if it pushes', () => {
    const addresses = getSetupGuide(provider)
      .steps.join(' ')
      .match(/\{base_url\}\/v1\/providers\/[\w/{}-]*/g);
    const address = `{base_url}/v1/providers/${provider}/push${descriptor.push?.hasSecretPath ? '/{secret}' : ''}`;
    expect([...new Set(addresses)]).toEqual(descriptor.push ? [address] : []);
  });
});
