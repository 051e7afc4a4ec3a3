// A numbered page as the range that reads use, and as the metadata of the response.
import type { OffsetMeta, OffsetQuery } from './offset-page.ts';

export const requestedPage = ({ page, per_page }: OffsetQuery): { offset: number; limit: number } => ({
  offset: (page - 1) * per_page,
  limit: per_page,
});

export const presentPageMeta = ({ page, per_page }: OffsetQuery, total: number): OffsetMeta => ({
  page,
  per_page,
  total,
});
