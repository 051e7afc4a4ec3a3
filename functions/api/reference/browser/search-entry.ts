// What the search of the reference finds. The server builds the entries, and the page ranks them.
import * as z from 'zod';

export const searchKinds = ['call', 'parameter', 'field', 'error', 'event', 'guide'] as const;
export type SearchKind = (typeof searchKinds)[number];

/** Arrays, because the index repeats their names a thousand times. The address is relative to `/`. */
const SearchEntry = z.tuple([z.enum(searchKinds), z.string(), z.string(), z.string()], z.string());
export type SearchEntry = readonly [
  kind: SearchKind,
  title: string,
  detail: string,
  address: string,
  ...words: string[],
];

const example: SearchEntry = ['call', 'Create a user', 'POST /v1/users', 'docs/reference/users#createUser'];

export const SearchIndex = z
  .object({
    entries: z.array(SearchEntry).meta({
      description: 'Kind, title, detail and address of each entry, and further words that lead to it.',
      examples: [[example]],
    }),
  })
  .meta({ id: 'SearchIndex', description: 'The index of the reference.' });
export type SearchIndex = z.infer<typeof SearchIndex>;
