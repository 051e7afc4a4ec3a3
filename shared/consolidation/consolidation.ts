// Schemas of a user's consolidation: the patch that changes it and the effective configuration.
import * as z from 'zod';
import { ConsolidationCategory, ConsolidationMethod } from '../catalog/consolidation-catalog.ts';
import { ConsolidationKey } from '../catalog/consolidation-entry.ts';
import { ProviderId } from '../catalog/provider.ts';

const Switches = z.record(z.string(), z.boolean());
const Method = ConsolidationMethod.nullable().optional();

/** Unknown keys and providers get failures of their own. */
export const ConsolidationPatch = z.strictObject({
  metrics: z.record(z.string(), z.strictObject({ method: Method, providers: Switches.optional() })).optional(),
  providers: Switches.optional(),
});
export type ConsolidationPatch = z.infer<typeof ConsolidationPatch>;

const switches = z.partialRecord(ProviderId, z.boolean().meta({ examples: [false] })).meta({
  description:
    'Providers to switch on or off: `false` excludes a provider, `true` includes it again. Each provider must be connected to the user.',
  examples: [{ oura: false }],
});

const MetricConsolidationPatch = z
  .strictObject({
    method: Method.meta({
      description:
        "One of this key's `allowed_methods`; null restores the default. A method that this key does not allow returns 422 `invalid_method`; an unknown method returns 400 `invalid_body`.",
      examples: ['max'],
    }),
    providers: switches.optional(),
  })
  .meta({ id: 'MetricConsolidationPatch', description: 'The changes to one metric or group.' });

export const DocumentedConsolidationPatch = z
  .strictObject({
    metrics: z
      .partialRecord(ConsolidationKey, MetricConsolidationPatch)
      .optional()
      .meta({
        description: 'The changes for each key of the consolidation catalog.',
        examples: [{ steps: { method: 'max', providers: { oura: false } } }],
      }),
    providers: switches.optional(),
  })
  .meta({
    id: 'ConsolidationPatch',
    description: 'Changes only the settings you send, all of them or none. Send at least one setting.',
    // The example names no provider, because a provider would have to be connected.
    examples: [{ metrics: { steps: { method: 'max' } } }],
  });

const ProviderSwitch = z
  .object({
    provider: ProviderId,
    enabled: z.boolean().meta({
      description:
        "Whether the provider's values are used. For a metric, this combines the global setting with the metric's own setting.",
      examples: [true],
    }),
  })
  .meta({ id: 'ProviderSwitch', description: 'Whether the values of a connected provider are used.' });

export const ConsolidatedMetric = z
  .object({
    key: ConsolidationKey,
    category: ConsolidationCategory,
    default_method: ConsolidationMethod,
    method: ConsolidationMethod.meta({ description: 'The method in effect.', examples: ['max'] }),
    overridden: z
      .boolean()
      .meta({ description: 'Whether a method is stored for this key and replaces the default.', examples: [true] }),
    providers: z.array(ProviderSwitch).meta({ description: 'Every provider connected to the user.' }),
    disabled_providers: z
      .array(ProviderId)
      .exactOptional()
      .meta({
        description:
          "The providers that are disabled for all metrics and by this key's own setting as well: they stay disabled for it when they are enabled for all metrics. Absent if there are none.",
        examples: [['oura']],
      }),
  })
  .meta({ id: 'ConsolidatedMetric', description: 'How one metric or group is consolidated.' });

export const ConsolidationConfiguration = z
  .object({
    providers: z
      .array(ProviderSwitch)
      .meta({ description: 'Every provider connected to the user, with its setting for all metrics.' }),
    metrics: z
      .array(ConsolidatedMetric)
      .meta({ description: 'Every key of the consolidation catalog, in catalog order.' }),
  })
  .meta({ id: 'ConsolidationConfiguration', description: 'The consolidation settings in effect for a user.' });
export type ConsolidationConfiguration = z.infer<typeof ConsolidationConfiguration>;

export const ConsolidationUpdate = z
  .object({
    status: z.enum(['reconsolidating', 'unchanged']).meta({
      description: "`reconsolidating` while a rebuild of the user's history is pending, otherwise `unchanged`.",
      examples: ['reconsolidating'],
    }),
    configuration: ConsolidationConfiguration,
  })
  .meta({
    id: 'ConsolidationUpdate',
    description: 'The result of a change: whether the history is being rebuilt, and the settings now in effect.',
  });
export type ConsolidationUpdate = z.infer<typeof ConsolidationUpdate>;
