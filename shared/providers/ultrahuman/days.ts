// Reads the days in Ultrahuman's responses, each with its metrics and the offset of its clocks.
import * as z from 'zod';
import { addDays, dayMs, isCalendarDate, utcDay } from '../../platform/time/local-day.ts';
import { isValidInstant, namedZoneOffsetMinutes } from '../kit/local-day-of-instant.ts';
import type { ProviderPage } from '../kit/provider-pages.ts';
import { readItems } from '../kit/read-items.ts';
import type { RecordBuilder } from '../kit/record-builder.ts';
import { parseResponseJson } from '../kit/request-flow.ts';
import {
  UltrahumanMetric,
  UltrahumanMidnight,
  UltrahumanObject,
  UltrahumanResponse,
  UltrahumanSleep,
} from './items.ts';

/** The metric types that are read, in addition to sleep. */
const kinds = [
  'hr',
  'hrv',
  'temp',
  'glucose',
  'steps',
  'active_minutes',
  'sleep_rhr',
  'night_rhr',
  'spo2',
  'vo2_max',
  'avg_sleep_hrv',
  'average_body_temperature',
] as const;
type Kind = (typeof kinds)[number];

export interface UltrahumanDay {
  date: string;
  objects: Partial<Record<Kind, UltrahumanObject>>;
  sleep: UltrahumanSleep | undefined;
  /** Null if the offset is unknown. */
  offsetAt(ms: number): number | null;
}

interface DayMetrics {
  date: string;
  zone: string | null;
  list: readonly unknown[];
}

/** If a date appears twice, the last one counts. */
export function readUltrahumanDays(
  builder: RecordBuilder,
  pages: readonly ProviderPage[],
  profileZone: string | null,
): UltrahumanDay[] {
  const byDate = new Map(pages.flatMap(readDayMetrics).map((day) => [day.date, day]));
  const midnights = new Map([...byDate.values()].map(({ date, list }) => [date, readMidnightOffset(date, list)]));
  return [...byDate.values()]
    .toSorted((a, b) => (a.date < b.date ? -1 : 1))
    .map(({ date, zone, list }) => {
      const own = midnights.get(date) ?? null;
      const next = midnights.get(addDays(date, 1)) ?? null;
      const path = `metrics.${date}`;
      builder.setZone(zone, Date.parse(date));
      const objectsByType = new Map(
        readItems(builder, path, list, UltrahumanMetric).map(({ item }) => [item.type, item.object ?? {}]),
      );
      const parseObject = <Shape>(kind: string, schema: z.ZodType<Shape>): Shape | undefined => {
        const object = objectsByType.get(kind);
        const parsed = object && schema.safeParse(object);
        if (parsed && !parsed.success)
          builder.reject(`${path}.${kind}`, 'invalid_record', `${kind} does not have a known format.`);
        return parsed?.data;
      };
      return {
        date,
        objects: Object.fromEntries(kinds.map((kind) => [kind, parseObject(kind, UltrahumanObject)])),
        sleep: parseObject('sleep', UltrahumanSleep),
        offsetAt: (ms) =>
          offsetInZone(zone ?? (own === null ? null : profileZone), date, own, ms) ??
          offsetAcrossClockChange(date, own, next, ms),
      };
    });
}

function readDayMetrics(page: ProviderPage): DayMetrics[] {
  const { data } = UltrahumanResponse.parse(parseResponseJson(page));
  const zone = data?.latest_time_zone ?? null;
  const dated = Object.entries(data?.metrics ?? {}).flatMap(([date, list]) =>
    isCalendarDate(date) ? [{ date, zone, list }] : [],
  );
  const isKnownShape = data?.metric_data || data?.metrics;
  if (page.parameter === undefined || !isKnownShape || dated.some(({ date }) => date === page.parameter)) return dated;
  return [...dated, { date: page.parameter, zone, list: data.metric_data ?? [] }];
}

/** The offset from UTC of the day's first instant, as the provider reports it. */
function readMidnightOffset(date: string, list: readonly unknown[]): number | null {
  const Holder = z.looseObject({ object: UltrahumanMidnight });
  const dayStartSeconds = list
    .map((each) => Holder.safeParse(each).data?.object.day_start_timestamp)
    .find((each) => each);
  const minutes = dayStartSeconds === undefined ? Number.NaN : (Date.parse(date) - dayStartSeconds * 1000) / 60_000;
  return Math.abs(minutes) <= 14 * 60 ? Math.round(minutes) : null;
}

/**
 * The zone is the latest one, or that of the profile. It applies to a day only if it matches the
 * day's midnight.
 */
function offsetInZone(zone: string | null, date: string, midnight: number | null, ms: number): number | null {
  const isConsistent =
    midnight === null || namedZoneOffsetMinutes(zone, Date.parse(date) - midnight * 60_000) === midnight;
  return isConsistent ? namedZoneOffsetMinutes(zone, ms) : null;
}

/** If the clocks changed, the following midnight determines the offset at the end of the day. */
function offsetAcrossClockChange(date: string, own: number | null, next: number | null, ms: number): number | null {
  if (own === null || next === null || own === next) return own;
  const isAfter = ms > Date.parse(date) + dayMs / 2 - own * 60_000;
  return isAfter && isValidInstant(ms) && utcDay(ms + next * 60_000) === date ? next : own;
}
