// Data points as Google writes them: whole numbers are texts, durations end in `s`, and a zero is left out.
import * as z from 'zod';
import type { Gathering } from '../kit/gathering.ts';
import type { VendorPage } from '../kit/pages.ts';
import { readItems } from '../kit/read-items.ts';
import { jsonIn } from '../kit/vendor.ts';
import { fieldOfType } from './data-types.ts';

const NumberText = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .transform(Number);

/** A number, or a whole one as a text; whatever else says nothing. */
export const GoogleNumber = z.union([z.number(), NumberText]).nullish().catch(null);

/** Whole and broken seconds: `32400s`, `3633.600s`. */
export const GoogleSeconds = z
  .string()
  .regex(/^-?\d+(\.\d+)?s$/)
  .transform((text) => Number(text.slice(0, -1)))
  .nullish()
  .catch(null);

/** RFC 3339, of any precision. */
export const GoogleInstant = z
  .string()
  .transform((text) => Date.parse(text))
  .refine((ms) => Number.isFinite(ms), 'is no time');

const two = (part: number): string => String(part).padStart(2, '0');
export const GoogleDate = z
  .looseObject({ year: z.number().int(), month: z.number().int(), day: z.number().int() })
  .transform(({ year, month, day }) => `${year}-${two(month)}-${two(day)}`);

export const GoogleInterval = z.looseObject({
  startTime: GoogleInstant,
  endTime: GoogleInstant,
  startUtcOffset: GoogleSeconds,
  endUtcOffset: GoogleSeconds,
});

export const GoogleSampleTime = z.looseObject({ physicalTime: GoogleInstant, utcOffset: GoogleSeconds });

export const offsetOf = (seconds: number | null | undefined): number | null =>
  typeof seconds === 'number' ? seconds / 60 : null;

const Page = z.looseObject({
  dataPoints: z.array(z.unknown()).nullish(),
  rollupDataPoints: z.array(z.unknown()).nullish(),
});

/** Merged points are named in another field than others. */
const Named = z.looseObject({ name: z.string().nullish(), dataPointName: z.string().nullish() });

/** `users/1/dataTypes/sleep/dataPoints/880` is 880. */
export const pointId = (point: unknown): string | undefined => {
  const { name, dataPointName } = Named.safeParse(point).data ?? {};
  return (dataPointName ?? name)?.split('/').at(-1) || undefined;
};

const Point = z.looseObject({});

export interface FoundPoints {
  path: string;
  of: string | undefined;
  points: readonly unknown[];
}

export const googlePoints = (pages: readonly VendorPage[], resource: string): FoundPoints[] =>
  pages
    .filter((page) => page.resource === resource)
    .map((page, at) => {
      const { dataPoints, rollupDataPoints } = Page.safeParse(jsonIn(page)).data ?? {};
      return { path: `${resource}.${at}`, of: page.of, points: dataPoints ?? rollupDataPoints ?? [] };
    });

export interface GooglePoint<Value> {
  path: string;
  id: string | undefined;
  of: string | undefined;
  /** All of it. */
  point: Readonly<Record<string, unknown>>;
  value: Value;
}

/** What stands in the field of the type; points without it say nothing of it. */
export function googleValues<Value>(
  gathering: Gathering,
  pages: readonly VendorPage[],
  { resource, type = resource, schema }: { resource: string; type?: string; schema: z.ZodType<Value> },
): GooglePoint<Value>[] {
  const field = fieldOfType(type);
  return googlePoints(pages, resource).flatMap(({ path, of, points }) =>
    readItems(gathering, path, points, Point).flatMap(({ path: place, item }) => {
      if (item[field] === undefined || item[field] === null) return [];
      const [read] = readItems(gathering, `${place}.${field}`, [item[field]], schema);
      return read ? [{ path: `${place}.${field}`, id: pointId(item), of, point: item, value: read.item }] : [];
    }),
  );
}

/** Of several versions of a session the one that was updated last. */
export function latestPoints<Value extends { interval: { startTime: number }; updateTime?: number | null | undefined }>(
  points: readonly GooglePoint<Value>[],
): GooglePoint<Value>[] {
  const latest = new Map<string, GooglePoint<Value>>();
  for (const each of points) {
    const name = each.id ?? `from ${each.value.interval.startTime}`;
    const before = latest.get(name);
    if (!before || (each.value.updateTime ?? 0) >= (before.value.updateTime ?? 0)) latest.set(name, each);
  }
  return [...latest.values()];
}
