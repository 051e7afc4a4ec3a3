// What is stored of a user's consolidation.
import * as z from 'zod';
import { ConsolidationMethod } from './consolidation-catalog.ts';

export const ConsolidationSettings = z.object({
  /** Overrides only, the default included when somebody chose it. */
  methods: z.record(z.string(), ConsolidationMethod),
  /** Providers that count for nothing. */
  off: z.array(z.string()),
  /** Providers that do not count for a key. */
  offFor: z.record(z.string(), z.array(z.string())),
});
export type ConsolidationSettings = z.infer<typeof ConsolidationSettings>;
