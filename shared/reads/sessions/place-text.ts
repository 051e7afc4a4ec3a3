// Where a page of sessions ended, as the text that a cursor seals.
import * as z from 'zod';
import type { PagePlace } from './session-page.ts';

const WrittenPlace: z.ZodType<PagePlace> = z.object({
  from: z.string(),
  to: z.string(),
  last: z.tuple([z.string(), z.number(), z.string()]),
  settled: z.array(z.tuple([z.string(), z.number(), z.number()])),
});

export const placeText = (place: PagePlace): string => JSON.stringify(place);
export const placeIn = (text: string): PagePlace => WrittenPlace.parse(JSON.parse(text));
