// Providers as the API names and lists them; what each can do is data in the providers' own folders.
import * as z from 'zod';
import { Category, MetricId } from './metrics.ts';

export const cloudProviderIds = [
  'oura',
  'whoop',
  'garmin',
  'polar',
  'suunto',
  'strava',
  'withings',
  'google_health',
  'ultrahuman',
  'coros',
] as const;
export type CloudProviderId = (typeof cloudProviderIds)[number];

export const sdkProviderIds = ['apple_health', 'health_connect', 'samsung_health'] as const;
export type SdkProviderId = (typeof sdkProviderIds)[number];

export const providerIds = [...cloudProviderIds, ...sdkProviderIds] as const;
export const ProviderId = z.enum(providerIds).meta({ description: 'Where the data comes from.', examples: ['oura'] });
export type ProviderId = z.infer<typeof ProviderId>;

export const SdkProviderId = z
  .enum(sdkProviderIds)
  .meta({ description: 'An on-device health platform.', examples: ['apple_health'] });

export const ConnectionKind = z.enum(['cloud', 'sdk']).meta({
  description: '`cloud` is linked through a hosted authorization page, `sdk` through the Mobile SDK.',
  examples: ['cloud'],
});
export type ConnectionKind = z.infer<typeof ConnectionKind>;

export const DeviceType = z
  .enum(['ring', 'wrist', 'scale', 'phone', 'app', 'cgm'])
  .meta({ description: 'What kind of device reports; it decides the default priority.', examples: ['ring'] });
export type DeviceType = z.infer<typeof DeviceType>;

export const DataDelivery = z.enum(['push', 'poll']).meta({
  description: 'How new data arrives: the provider sends it, or the service asks for it.',
  examples: ['push'],
});
export type DataDelivery = z.infer<typeof DataDelivery>;

export const Provider = z
  .object({
    id: ProviderId,
    name: z.string().meta({ description: 'The display name.', examples: ['Oura'] }),
    connection: ConnectionKind,
    device_type: DeviceType,
    available: z.boolean().meta({
      description: 'Whether this deployment has credentials for it; always true in the sandbox.',
      examples: [true],
    }),
    categories: z.array(Category).meta({ description: 'The categories its metrics belong to.' }),
    metrics: z.array(MetricId).meta({ description: 'The daily metrics it can supply.' }),
    delivery: z.array(DataDelivery).meta({ description: 'How its data arrives.' }),
    history_days: z
      .int()
      .min(0)
      .meta({ description: 'How many days before the connection are fetched.', examples: [180] }),
    scopes: z
      .array(z.string().meta({ examples: ['daily'] }))
      .meta({ description: 'The permissions requested from the user; empty if the provider has none.' }),
  })
  .meta({ id: 'Provider', description: 'A source of health data that users can connect.' });
export type Provider = z.infer<typeof Provider>;

export const ProviderCatalog = z
  .object({ providers: z.array(Provider).meta({ description: 'Every provider, cloud and on-device.' }) })
  .meta({ id: 'ProviderCatalog', description: 'Every provider the service supports.' });
export type ProviderCatalog = z.infer<typeof ProviderCatalog>;
