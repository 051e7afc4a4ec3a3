// Paging by page number, as in the lists of Form 1.
import * as z from 'zod';
import { parseWholeNumber } from './page.ts';

const maxPage = 999_999_999;

export const PageNumber = z
  .preprocess(parseWholeNumber, z.int(`must be a whole number from 1 to ${maxPage}`).min(1).max(maxPage))
  .default(1)
  .meta({ description: 'The number of the page to return, starting at 1.', examples: [1] });

const maxPerPage = 100;

export const PerPage = z
  .preprocess(parseWholeNumber, z.int(`must be a whole number from 1 to ${maxPerPage}`).min(1).max(maxPerPage))
  .default(20)
  .meta({ description: `The number of items per page, 1 to ${maxPerPage}.`, examples: [20] });

export interface OffsetQuery {
  page: number;
  per_page: number;
}

export const OffsetMeta = z
  .object({
    page: z
      .int()
      .min(1)
      .meta({ description: 'The requested page.', examples: [1] }),
    per_page: z
      .int()
      .min(1)
      .max(maxPerPage)
      .meta({ description: 'The number of items per page.', examples: [20] }),
    total: z
      .int()
      .min(0)
      .meta({ description: 'The number of items on all pages.', examples: [57] }),
  })
  .meta({ id: 'OffsetMeta', description: 'The current page and the total number of items.' });
export type OffsetMeta = z.infer<typeof OffsetMeta>;

export const OffsetPage = <T extends z.ZodType>(id: string, item: T, description: string) =>
  z.object({ data: z.array(item), meta: OffsetMeta }).meta({ id, description });

export const requestedPage = ({ page, per_page }: OffsetQuery): { offset: number; limit: number } => ({
  offset: (page - 1) * per_page,
  limit: per_page,
});

export const presentPageMeta = ({ page, per_page }: OffsetQuery, total: number): OffsetMeta => ({
  page,
  per_page,
  total,
});
