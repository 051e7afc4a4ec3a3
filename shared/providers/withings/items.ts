// The items of Withings' answers: found in the pages, read one by one, and each told once.
import * as z from 'zod';
import type { Gathering, Maybe } from '../kit/gathering.ts';
import type { VendorPage } from '../kit/pages.ts';
import { type ReadItem, readItems } from '../kit/read-items.ts';
import { jsonIn } from '../kit/vendor.ts';

/** A number that may be missing; whatever is no number says nothing. */
export const withingsNumber = z.number().nullish().catch(null);
export const withingsText = z.string().nullish().catch(null);
/** Seconds since 1970. */
export const WithingsSeconds = z.number().int();
export const WithingsId = z.union([z.string().min(1), z.number()]).transform(String);

const Page = z.looseObject({ body: z.looseObject({}).nullish() });

export interface WithingsBody {
  path: string;
  of: string | undefined;
  body: Readonly<Record<string, unknown>>;
}

export const withingsBodies = (pages: readonly VendorPage[], resource: string): WithingsBody[] =>
  pages
    .filter((page) => page.resource === resource)
    .map((page, at) => ({
      path: `${resource}.${at}`,
      of: page.of,
      body: Page.safeParse(jsonIn(page)).data?.body ?? {},
    }));

export interface WithingsTold<Item> extends ReadItem<Item> {
  /** Which it was found in. */
  body: WithingsBody['body'];
}

export const withingsItems = <Item>(
  gathering: Gathering,
  pages: readonly VendorPage[],
  { resource, list, schema }: { resource: string; list: string; schema: z.ZodType<Item> },
): WithingsTold<Item>[] =>
  withingsBodies(pages, resource).flatMap(({ path, body }) =>
    readItems(gathering, `${path}.${list}`, body[list], schema).map((read) => ({ ...read, body })),
  );

/** Of several versions of a thing the one that was modified last. */
export function latestVersions<Item extends { modified?: Maybe }>(
  told: readonly WithingsTold<Item>[],
  name: (item: Item) => string,
): WithingsTold<Item>[] {
  const latest = new Map<string, WithingsTold<Item>>();
  for (const each of told) {
    const before = latest.get(name(each.item));
    if (!before || (each.item.modified ?? 0) >= (before.item.modified ?? 0)) latest.set(name(each.item), each);
  }
  return [...latest.values()];
}
