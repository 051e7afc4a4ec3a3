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

export const sdkProviderIds = ['apple_health', 'health_connect', 'samsung_health'] as const;

export const providerIds = [...cloudProviderIds, ...sdkProviderIds] as const;
export const ProviderId = z.enum(providerIds).meta({
  id: 'ProviderId',
  description:
    'Where data comes from. `GET /v1/providers?connection=all&include=unavailable` describes each. New ids may be added.',
  examples: ['oura'],
});
export type ProviderId = z.infer<typeof ProviderId>;

export const CloudProviderId = z.enum(cloudProviderIds).meta({
  id: 'CloudProviderId',
  description: 'A provider that connects through a hosted authorization page. New ids may be added.',
  examples: ['oura'],
});
export type CloudProviderId = z.infer<typeof CloudProviderId>;

export const SdkProviderId = z.enum(sdkProviderIds).meta({
  id: 'SdkProviderId',
  description: 'An on-device health platform. New ids may be added.',
  examples: ['apple_health'],
});
export type SdkProviderId = z.infer<typeof SdkProviderId>;

export const SdkPlatform = z
  .enum(['ios', 'android'])
  .meta({ id: 'SdkPlatform', description: "The phone's operating system.", examples: ['ios'] });
export type SdkPlatform = z.infer<typeof SdkPlatform>;

export const ConnectionKind = z.enum(['cloud', 'sdk']).meta({
  id: 'ConnectionKind',
  description: '`cloud` connects through a hosted authorization page, `sdk` through the Mobile SDK.',
  examples: ['cloud'],
});
export type ConnectionKind = z.infer<typeof ConnectionKind>;

export const DeviceType = z.enum(['ring', 'wrist', 'scale', 'phone', 'app', 'cgm']).meta({
  id: 'DeviceType',
  description: 'The kind of device. It decides the default priority. New kinds may be added.',
  examples: ['ring'],
});
export type DeviceType = z.infer<typeof DeviceType>;

export const DataDelivery = z.enum(['push', 'poll']).meta({
  id: 'DataDelivery',
  description: 'How new data arrives: with `push` the provider sends it, with `poll` the service requests it.',
  examples: ['push'],
});
export type DataDelivery = z.infer<typeof DataDelivery>;
