// Provider ids and enums of the API. What each provider can do is data in the provider's own
// folder.
import * as z from 'zod';

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

export const SdkPlatform = z
  .enum(['ios', 'android'])
  .meta({ description: "The phone's operating system.", examples: ['ios'] });
export type SdkPlatform = z.infer<typeof SdkPlatform>;

export const ConnectionKind = z.enum(['cloud', 'sdk']).meta({
  description: '`cloud` connects through a hosted authorization page, `sdk` through the Mobile SDK.',
  examples: ['cloud'],
});
export type ConnectionKind = z.infer<typeof ConnectionKind>;

export const DeviceType = z
  .enum(['ring', 'wrist', 'scale', 'phone', 'app', 'cgm'])
  .meta({ description: 'The kind of device. It decides the default priority.', examples: ['ring'] });
export type DeviceType = z.infer<typeof DeviceType>;

export const DataDelivery = z.enum(['push', 'poll']).meta({
  description: 'How new data arrives: with `push` the provider sends it, with `poll` the service requests it.',
  examples: ['push'],
});
export type DataDelivery = z.infer<typeof DataDelivery>;
