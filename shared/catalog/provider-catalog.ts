// The provider catalog as listed by the API.
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
      description: 'Whether this deployment has credentials for the provider. Always true in the sandbox.',
      examples: [true],
    }),
    missing: z.array(z.string().meta({ examples: ['client_secret'] })).meta({
      description:
        'The credentials that this deployment lacks or cannot use, as `/docs/providers/{provider}` names them. Empty for a provider that is available.',
    }),
    categories: z.array(Category).meta({ description: 'The categories of its metrics.' }),
    metrics: z.array(SampleId).meta({
      description:
        'The daily metrics that the provider can supply, and `stress_score` if it reports stress during the day.',
    }),
    delivery: z.array(DataDelivery).meta({ description: "How the provider's data arrives." }),
    poll_interval_seconds: z
      .int()
      .min(0)
      .nullable()
      .meta({
        description:
          'How often a connection without pushes is polled now, by day and while it brings data: every 15 minutes, or less often when all connections together would exceed the limit of the provider. ' +
          'Above 21,600, a lower bound. Null if it is never polled.',
        examples: [900],
      }),
    history_days: z
      .int()
      .min(0)
      .meta({ description: 'How many days of data from before the connection are fetched.', examples: [180] }),
    scopes: z
      .array(z.string().meta({ examples: ['daily'] }))
      .meta({ description: 'The permissions requested from the user. Empty if the provider has none.' }),
  })
  .meta({ id: 'Provider', description: 'A source of health data that users can connect.' });
export type Provider = z.infer<typeof Provider>;

/** Which kinds of connection are listed. */
export const ListedConnection = z
  .enum([...ConnectionKind.options, 'all'])
  .default('cloud')
  .meta({
    description:
      '`cloud` lists the providers with a hosted authorization page, `sdk` those that connect through the Mobile SDK, and `all` lists both.',
    examples: ['cloud'],
  });
export type ListedConnection = z.infer<typeof ListedConnection>;

/** What is listed beyond the providers that can be connected now. */
export const IncludedProviders = z
  .enum(['unavailable'])
  .optional()
  .meta({
    description: '`unavailable` also lists the providers that cannot be connected now; `missing` says why.',
    examples: ['unavailable'],
  });
export type IncludedProviders = z.infer<typeof IncludedProviders>;

export const ProviderCatalog = z
  .object({
    providers: z.array(Provider).meta({ description: 'The providers with the requested kind of connection.' }),
  })
  .meta({ id: 'ProviderCatalog', description: 'The providers that can be connected.' });
export type ProviderCatalog = z.infer<typeof ProviderCatalog>;
