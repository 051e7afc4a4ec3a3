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

/** Which of them are listed. */
export const ListedConnection = z
  .enum([...ConnectionKind.options, 'all'])
  .default('cloud')
  .meta({
    description:
      '`cloud` lists the providers that a user can be sent to for hosted authorization, `sdk` those that connect through the Mobile SDK, `all` both.',
    examples: ['cloud'],
  });
export type ListedConnection = z.infer<typeof ListedConnection>;

export const ProviderCatalog = z
  .object({ providers: z.array(Provider).meta({ description: 'The providers of that connection.' }) })
  .meta({ id: 'ProviderCatalog', description: 'The providers the service supports.' });
export type ProviderCatalog = z.infer<typeof ProviderCatalog>;
