// A numbered page, as reads take it and as its answer tells of it.
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
