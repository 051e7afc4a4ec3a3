// A day at Ultrahuman: a list of metric types, each with its own object. The list has two formats,
// and a sleep has an older and a newer one.
import * as z from 'zod';

const optionalNumber = z.number().nullish();
const list = z.array(z.unknown());

export const UltrahumanResponse = z.looseObject({
  data: z
    .looseObject({
      metric_data: list.nullish(),
      /** Keyed by date. */
      metrics: z.record(z.string(), list).nullish(),
      latest_time_zone: z.string().nullish(),
    })
    .nullish(),
});

/** The case of names differs between the formats. */
const lowerCaseText = z.string().transform((text) => text.toLowerCase());

export const UltrahumanMetric = z.looseObject({
  type: lowerCaseText,
  object: z.looseObject({}).nullish(),
});

export const UltrahumanReading = z.looseObject({ value: optionalNumber, timestamp: z.number() });

/** A series, a value, an average or a total; each type has some of them. */
export const UltrahumanObject = z.looseObject({
  values: list.nullish(),
  value: optionalNumber,
  avg: optionalNumber,
  total: optionalNumber,
});
export type UltrahumanObject = z.infer<typeof UltrahumanObject>;

export const UltrahumanMidnight = z.looseObject({ day_start_timestamp: z.number() });

/** A part in an unknown format is left out of the sleep. */
const optionalObject = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.looseObject(shape).nullish().catch(null);
const minutes = optionalObject({ minutes: optionalNumber });

export const UltrahumanSleep = z.looseObject({
  bedtime_start: optionalNumber,
  bedtime_end: optionalNumber,
  quick_metrics: z
    .array(z.looseObject({ type: z.string().nullish(), value: optionalNumber }))
    .nullish()
    .catch(null),
  sleep_stages: z
    .array(z.looseObject({ type: z.string().nullish(), stage_time: optionalNumber }))
    .nullish()
    .catch(null),
  /** An empty list if there is none. */
  sleep_graph: optionalObject({
    data: z.array(z.looseObject({ start: z.number(), end: z.number(), type: lowerCaseText })),
  }),
  spo2: optionalObject({ value: optionalNumber }),
  total_sleep: minutes,
  time_in_bed: minutes,
  deep_sleep: minutes,
  light_sleep: minutes,
  rem_sleep: minutes,
  sleep_efficiency: optionalObject({ percentage: optionalNumber }),
  average_body_temperature: optionalObject({ celsius: optionalNumber }),
});
export type UltrahumanSleep = z.infer<typeof UltrahumanSleep>;
