// Short words for the answers a route documents.
import type * as z from 'zod';
import type { FailureCode } from '../model/failure.ts';

export const json = <const S extends z.ZodType>(schema: S, description: string) => ({ description, schema });

/** What every route that needs a plan in good standing may answer. */
export const paid = ['payment_required'] as const satisfies FailureCode[];
