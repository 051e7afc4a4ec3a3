// The items of Withings' responses: found in the pages, read one by one, and each returned once.
import * as z from 'zod';
import type { ProviderPage } from '../kit/provider-pages.ts';
import { type ReadItem, readItems } from '../kit/read-items.ts';
import type { OptionalNumber, RecordBuilder } from '../kit/record-builder.ts';
import { parseResponseJson } from '../kit/request-flow.ts';

/** A number that may be missing; anything else is treated as missing. */
export const withingsNumber = z.number().nullish().catch(null);
export const withingsText = z.string().nullish().catch(null);
/** Seconds since 1970. */
export const WithingsSeconds = z.number().int();
export const WithingsId = z.union([z.string().min(1), z.number()]).transform(String);

const Page = z.looseObject({ body: z.looseObject({}).nullish() });

export interface WithingsBody {
  path: string;
  parameter: string | undefined;
  body: Readonly<Record<string, unknown>>;
}

export const readWithingsBodies = (pages: readonly ProviderPage[], resource: string): WithingsBody[] =>
  pages
    .filter((page) => page.resource === resource)
    .map((page, at) => ({
      path: `${resource}.${at}`,
      parameter: page.parameter,
      body: Page.safeParse(parseResponseJson(page)).data?.body ?? {},
    }));

export interface WithingsItem<Item> extends ReadItem<Item> {
  /** The body that contains the item. */
  body: WithingsBody['body'];
}

export const readWithingsItems = <Item>(
  builder: RecordBuilder,
  pages: readonly ProviderPage[],
  { resource, list, schema }: { resource: string; list: string; schema: z.ZodType<Item> },
): WithingsItem<Item>[] =>
  readWithingsBodies(pages, resource).flatMap(({ path, body }) =>
    readItems(builder, `${path}.${list}`, body[list], schema).map((read) => ({ ...read, body })),
  );

/** Of several versions of an item, the one that was modified last counts. */
export function keepLatestVersions<Item extends { modified?: OptionalNumber }>(
  items: readonly WithingsItem<Item>[],
  name: (item: Item) => string,
): WithingsItem<Item>[] {
  const latest = new Map<string, WithingsItem<Item>>();
  for (const each of items) {
    const previous = latest.get(name(each.item));
    if (!previous || (each.item.modified ?? 0) >= (previous.item.modified ?? 0)) latest.set(name(each.item), each);
  }
  return [...latest.values()];
}
