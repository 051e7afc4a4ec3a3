// What is stored of a user's consolidation settings.
import * as z from 'zod';
import { ConsolidationMethod } from './consolidation-catalog.ts';

export const ConsolidationSettings = z.object({
  /** Overrides only. The default is included if it was chosen explicitly. */
  methods: z.record(z.string(), ConsolidationMethod),
  /** Providers that are disabled for every metric. */
  off: z.array(z.string()),
  /** Providers that are disabled for a key. */
  offFor: z.record(z.string(), z.array(z.string())),
});
export type ConsolidationSettings = z.infer<typeof ConsolidationSettings>;
