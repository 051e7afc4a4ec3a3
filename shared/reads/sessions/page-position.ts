// Serializes the position where a page of sessions ended, for use in a sealed cursor.
import * as z from 'zod';
import type { PagePosition } from './session-page.ts';

const PagePositionSchema: z.ZodType<PagePosition> = z.object({
  from: z.string(),
  to: z.string(),
  last: z.tuple([z.string(), z.number(), z.string()]),
  seen: z.array(z.tuple([z.string(), z.number(), z.number()])),
});

export const serializePagePosition = (position: PagePosition): string => JSON.stringify(position);
export const parsePagePosition = (text: string): PagePosition => PagePositionSchema.parse(JSON.parse(text));
