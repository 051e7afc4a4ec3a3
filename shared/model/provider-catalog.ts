// The catalog of providers as the API lists it.
import * as z from 'zod';
import { Category, SampleId } from './metrics.ts';
import { ConnectionKind, DataDelivery, DeviceType, ProviderId } from './provider.ts';

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
    metrics: z.array(SampleId).meta({
      description: 'The daily metrics that it can supply, and `stress_score` where it tells stress through the day.',
    }),
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
