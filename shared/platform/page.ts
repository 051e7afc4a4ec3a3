// Cursor paging as every list of the contract does it.
import * as z from 'zod';

/** Digits of a query as the number they write; anything else stays as it is, to be refused. */
export const parseWholeNumber = (text: unknown): unknown =>
  typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : text;

export const createLimitField = (max: number, defaultLimit: number) =>
  z
    .preprocess(parseWholeNumber, z.int(`must be a whole number from 1 to ${max}`).min(1).max(max))
    .default(defaultLimit)
    .meta({ description: `How many items to return, 1 to ${max}.`, examples: [defaultLimit] });

export const Cursor = z
  .string()
  .min(1)
  .max(2048)
  .meta({ description: 'The `next_cursor` of the previous page, unchanged; every other parameter stays the same.' });

export const NextCursor = z
  .string()
  .nullable()
  .meta({
    description: 'Send it as `cursor` for the next page; null when this is the last one.',
    examples: ['pYk0tX3n1mQ8sV5r'],
  });

export const Page = <T extends z.ZodType>(id: string, item: T, description: string) =>
  z.object({ data: z.array(item), next_cursor: NextCursor }).meta({ id, description });
