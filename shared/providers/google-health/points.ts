// Google's data point formats: integers are strings, durations end in `s`, and zeros are omitted.
import * as z from 'zod';
import type { ProviderPage } from '../kit/provider-pages.ts';
import { readItems } from '../kit/read-items.ts';
import type { RecordBuilder } from '../kit/record-builder.ts';
import { parseResponseJson } from '../kit/request-flow.ts';
import { toFieldName } from './data-types.ts';

const NumberText = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .transform(Number);

/** A number, or an integer as a string; anything else is null. */
export const GoogleNumber = z.union([z.number(), NumberText]).nullish().catch(null);

/** Whole or fractional seconds: `32400s`, `3633.600s`. */
export const GoogleSeconds = z
  .string()
  .regex(/^-?\d+(\.\d+)?s$/)
  .transform((text) => Number(text.slice(0, -1)))
  .nullish()
  .catch(null);

/** RFC 3339 with any precision. */
export const GoogleInstant = z
  .string()
  .transform((text) => Date.parse(text))
  .refine((ms) => Number.isFinite(ms), 'must be a time');

const padTwoDigits = (part: number): string => String(part).padStart(2, '0');
export const GoogleDate = z
  .looseObject({ year: z.number().int(), month: z.number().int(), day: z.number().int() })
  .transform(({ year, month, day }) => `${year}-${padTwoDigits(month)}-${padTwoDigits(day)}`);

export const GoogleInterval = z.looseObject({
  startTime: GoogleInstant,
  endTime: GoogleInstant,
  startUtcOffset: GoogleSeconds,
  endUtcOffset: GoogleSeconds,
});

export const GoogleSampleTime = z.looseObject({ physicalTime: GoogleInstant, utcOffset: GoogleSeconds });

export const googleOffsetMinutes = (seconds: number | null | undefined): number | null =>
  typeof seconds === 'number' ? seconds / 60 : null;

const Page = z.looseObject({
  dataPoints: z.array(z.unknown()).nullish(),
  rollupDataPoints: z.array(z.unknown()).nullish(),
});

/** Merged points carry their name in a different field. */
const NamedPoint = z.looseObject({ name: z.string().nullish(), dataPointName: z.string().nullish() });

/** The id in `users/1/dataTypes/sleep/dataPoints/880` is 880. */
export const readPointId = (point: unknown): string | undefined => {
  const { name, dataPointName } = NamedPoint.safeParse(point).data ?? {};
  return (dataPointName ?? name)?.split('/').at(-1) || undefined;
};

const Point = z.looseObject({});

export interface PointPage {
  path: string;
  parameter: string | undefined;
  points: readonly unknown[];
}

export const readGooglePoints = (pages: readonly ProviderPage[], resource: string): PointPage[] =>
  pages
    .filter((page) => page.resource === resource)
    .map((page, at) => {
      const { dataPoints, rollupDataPoints } = Page.safeParse(parseResponseJson(page)).data ?? {};
      return { path: `${resource}.${at}`, parameter: page.parameter, points: dataPoints ?? rollupDataPoints ?? [] };
    });

export interface GooglePoint<Value> {
  path: string;
  id: string | undefined;
  parameter: string | undefined;
  /** The entire data point. */
  point: Readonly<Record<string, unknown>>;
  value: Value;
}

/** Reads the field of the type; points without it are skipped. */
export function readGoogleValues<Value>(
  builder: RecordBuilder,
  pages: readonly ProviderPage[],
  { resource, type = resource, schema }: { resource: string; type?: string; schema: z.ZodType<Value> },
): GooglePoint<Value>[] {
  const field = toFieldName(type);
  return readGooglePoints(pages, resource).flatMap(({ path, parameter, points }) =>
    readItems(builder, path, points, Point).flatMap(({ path: itemPath, item }) => {
      if (item[field] === undefined || item[field] === null) return [];
      const [read] = readItems(builder, `${itemPath}.${field}`, [item[field]], schema);
      return read
        ? [{ path: `${itemPath}.${field}`, id: readPointId(item), parameter, point: item, value: read.item }]
        : [];
    }),
  );
}

/** Keeps the version of each session that was updated last. */
export function keepLatestPoints<
  Value extends { interval: { startTime: number }; updateTime?: number | null | undefined },
>(points: readonly GooglePoint<Value>[]): GooglePoint<Value>[] {
  const latest = new Map<string, GooglePoint<Value>>();
  for (const each of points) {
    const name = each.id ?? `from ${each.value.interval.startTime}`;
    const previous = latest.get(name);
    if (!previous || (each.value.updateTime ?? 0) >= (previous.value.updateTime ?? 0)) latest.set(name, each);
  }
  return [...latest.values()];
}
