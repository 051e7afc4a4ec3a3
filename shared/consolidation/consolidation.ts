// A user's consolidation: what a patch may say, and the effective configuration that is shown.
import * as z from 'zod';
import { ConsolidationCategory, ConsolidationMethod } from '../catalog/consolidation-catalog.ts';

const Key = z.string().meta({ description: 'A key of the consolidation catalog.', examples: ['steps'] });
const ProviderName = z.string().meta({ description: 'A provider id of the provider catalog.', examples: ['oura'] });

const switches = z.record(ProviderName, z.boolean().meta({ examples: [false] })).meta({
  description: 'By provider: `false` excludes it, `true` includes it again. Only providers connected to the user.',
  examples: [{ oura: false }],
});

export const MetricConsolidationPatch = z
  .strictObject({
    method: ConsolidationMethod.nullable()
      .optional()
      .meta({
        description:
          'One of the `allowed_methods` of this key; null restores the default. Another method is 422 `invalid_method`, a word that is no method 400 `invalid_body`.',
        examples: ['max'],
      }),
    providers: switches.optional(),
  })
  .meta({ id: 'MetricConsolidationPatch', description: 'What to change about one metric or group.' });

export const ConsolidationPatch = z
  .strictObject({
    metrics: z
      .record(Key, MetricConsolidationPatch)
      .optional()
      .meta({
        description: 'By key of the consolidation catalog.',
        examples: [{ steps: { method: 'max', providers: { oura: false } } }],
      }),
    providers: switches.optional(),
  })
  .meta({
    id: 'ConsolidationPatch',
    description: 'Only the settings sent are changed, all or none of them. At least one is required.',
    // Of no provider: it would have to be connected.
    examples: [{ metrics: { steps: { method: 'max' } } }],
  });
export type ConsolidationPatch = z.infer<typeof ConsolidationPatch>;

const ProviderSwitch = z
  .object({
    provider: ProviderName,
    enabled: z.boolean().meta({
      description:
        "Whether the provider's values count; below a metric, after both the global and the metric's own switch.",
      examples: [true],
    }),
  })
  .meta({ id: 'ProviderSwitch', description: 'Whether a connected provider counts.' });

export const ConsolidatedMetric = z
  .object({
    key: Key,
    category: ConsolidationCategory,
    default_method: ConsolidationMethod,
    method: ConsolidationMethod.meta({ description: 'The method in effect.', examples: ['max'] }),
    overridden: z.boolean().meta({ description: 'Whether a method is stored for this key.', examples: [true] }),
    providers: z.array(ProviderSwitch).meta({ description: 'Every connected provider.' }),
  })
  .meta({ id: 'ConsolidatedMetric', description: 'How one metric or group is consolidated.' });

export const ConsolidationConfiguration = z
  .object({
    providers: z.array(ProviderSwitch).meta({ description: 'Every connected provider, for all metrics.' }),
    metrics: z.array(ConsolidatedMetric).meta({ description: 'Every key of the catalog, in its order.' }),
  })
  .meta({ id: 'ConsolidationConfiguration', description: "A user's consolidation as it is in effect." });
export type ConsolidationConfiguration = z.infer<typeof ConsolidationConfiguration>;

export const ConsolidationUpdate = z
  .object({
    status: z.enum(['reconsolidating', 'unchanged']).meta({
      description: '`reconsolidating` while a rebuild of the history is due, else `unchanged`.',
      examples: ['reconsolidating'],
    }),
    configuration: ConsolidationConfiguration,
  })
  .meta({ id: 'ConsolidationUpdate', description: 'The settings are stored; the history is rebuilt next.' });
export type ConsolidationUpdate = z.infer<typeof ConsolidationUpdate>;
