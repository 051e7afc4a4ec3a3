// Cursor paging, as in every list of the contract.
import * as z from 'zod';

/**
 * Converts the digits of a query parameter to a number. Other values stay unchanged and are
 * rejected later.
 */
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
  .meta({ description: 'The `next_cursor` of the previous page, unchanged. All other parameters must stay the same.' });

export const NextCursor = z
  .string()
  .nullable()
  .meta({
    description: 'Send it as `cursor` to get the next page. Null on the last page.',
    examples: ['pYk0tX3n1mQ8sV5r'],
  });

export const Page = <T extends z.ZodType>(id: string, item: T, description: string) =>
  z.object({ data: z.array(item), next_cursor: NextCursor }).meta({ id, description });
