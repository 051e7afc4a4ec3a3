// Edge cases of records with the offset of another place, where it is often another day, and of
// daily totals next to them.

import { type DeviceRecords, type EdgeCase, minuteMs, pickDay, type SessionEdgeCase, smallValue } from './edge-case.ts';
import { halfValue } from './rounding-boundaries.ts';
import type { WireSample } from './scenario.ts';
import { makeSample } from './scenario-samples.ts';
import { makeMinutes, makeWorkoutNumbers } from './scenario-sessions.ts';
import {
  formatUtc,
  formatWithOffset,
  type Gadget,
  hourMs,
  offsetText,
  type ScenarioSetting,
  type TimestampFormat,
} from './scenario-setting.ts';
import type { UnitValue } from './scenario-values.ts';
import { dayBounds, localDate, type Span } from './zone-clock.ts';

/** Extreme offsets, and offsets that are not whole hours. */
const pickFarOffset = ({ random }: ScenarioSetting): number =>
  random.pick([840, 840, 780, 765, 345, 0, -210, -660, -660, -720]);

/** Where a day ends: the profile's, or that of the other place. */
function pickDayBoundary(setting: ScenarioSetting, offsetMinutes: number): number {
  const { random, dates } = setting;
  const { from, to } = random.chance(0.6) ? pickDay(setting) : dayBounds({ offsetMinutes }, random.pick(dates));
  return random.pick([from, to]);
}

/** The offset is in a separate field or in the times. */
const makeTimestampFormat = ({ random }: ScenarioSetting, offset: number): TimestampFormat =>
  random.chance(0.5)
    ? { write: formatUtc, utc_offset: offsetText(offset) }
    : { write: (ms: number) => formatWithOffset(ms, offset) };

const writeSpan = ({ write, utc_offset }: TimestampFormat, { from, to }: Span) => ({
  start: write(from),
  end: write(to),
  ...(utc_offset === undefined ? {} : { utc_offset }),
});

function makeSampleAt(format: TimestampFormat, metric: string, span: Span, value: UnitValue): WireSample {
  const { end, ...rest } = writeSpan(format, span);
  return { metric, ...rest, ...(span.from < span.to ? { end } : {}), ...value };
}

/** Across the end of a day, which may not be one in the other place. */
export const walkAbroad: EdgeCase = (setting, metric, pair) => {
  const { random } = setting;
  return pair.map((gadget) => {
    const offset = pickFarOffset(setting);
    const spans = Array.from({ length: random.int(1, 3) }, (): Span => {
      const at = pickDayBoundary(setting, offset);
      return { from: at - random.int(0, 8) * 15 * minuteMs, to: at + random.int(1, 8) * 15 * minuteMs };
    });
    const samples = spans.map((span) =>
      makeSampleAt(makeTimestampFormat(setting, offset), metric, span, smallValue(setting, metric)),
    );
    return { gadget, samples };
  });
};

/** Readings at the end of a day, with the offset of another place or without one. */
export const readingsAbroad: EdgeCase = (setting, metric, pair) => {
  const { random } = setting;
  return pair.map((gadget) => {
    const offset = pickFarOffset(setting);
    const at = pickDayBoundary(setting, offset);
    const samples = [at - 1, at, at + 1000, at + 12 * hourMs, at - 12 * hourMs]
      .filter(() => random.chance(0.6))
      .map((moment) => {
        const span = { from: moment, to: moment };
        const format = random.chance(0.8) ? makeTimestampFormat(setting, offset) : { write: formatUtc };
        return makeSampleAt(format, metric, span, halfValue(random, metric));
      });
    return { gadget, samples };
  });
};

/**
 * A total for a calendar day, which stays on that day, next to samples that move away from it and
 * onto it.
 */
export const totalWithSamples: EdgeCase = (setting, metric, [one, other]) => {
  const { random, home } = setting;
  const { from, to } = pickDay(setting);
  const noon = (from + to) / 2;
  const walk = (gadget: Gadget, hour: number): WireSample => {
    const start = from + hour * hourMs;
    return makeSample(setting, gadget, metric, { from: start, to: start + hourMs }, smallValue(setting, metric));
  };
  const hours = [-3, -1, 0, 2, 11, 22, 23, 25].filter(() => random.chance(0.5));
  const total = { date: localDate(home, noon), metric, ...smallValue(setting, metric) };
  return [
    { gadget: one, daily: [total], samples: hours.map((hour) => walk(one, hour)) },
    ...(random.chance(0.5) ? [{ gadget: other, samples: [walk(other, random.pick([-2, 1, 24]))] }] : []),
  ];
};

/**
 * A night that ends at the end of a day, there or at home, with its device's samples during and
 * after it.
 */
export const nightAbroad: SessionEdgeCase = (setting, [gadget]): DeviceRecords[] => {
  const { random } = setting;
  const offset = pickFarOffset(setting);
  const to =
    pickDayBoundary(setting, offset) + random.pick([-90, -30, 0, 30, 90, 400]) * minuteMs - random.pick([0, 0, 1]);
  const from = to - random.int(3, 9) * hourMs;
  const allMinutes = makeMinutes(random, (to - from) / minuteMs);
  const { deep_minutes: _deep, ...minutes } = allMinutes;
  const stage = (hoursBefore: number): WireSample => {
    const start = to - hoursBefore * hourMs;
    const span = { from: start, to: start + 40 * minuteMs };
    const there = random.chance(0.7) ? makeTimestampFormat(setting, pickFarOffset(setting)) : { write: formatUtc };
    return makeSampleAt(there, 'deep_sleep', span, { value: 40, unit: 'min' });
  };
  return [
    {
      gadget,
      sleep: [
        {
          ...writeSpan(makeTimestampFormat(setting, offset), { from, to }),
          ...(random.chance(0.3) ? allMinutes : minutes),
        },
      ],
      // The last one is after the night.
      samples: [2, 1, -1].filter(() => random.chance(0.8)).map(stage),
    },
  ];
};

/** Stages outside any night, across the end of a day, there or at home. */
export const stagesWithoutNight: SessionEdgeCase = (setting, [gadget]): DeviceRecords[] => {
  const { random } = setting;
  const offset = pickFarOffset(setting);
  const format = random.chance(0.5) ? makeTimestampFormat(setting, offset) : { write: formatUtc };
  const spans = Array.from({ length: random.int(1, 2) }, (): Span => {
    const at = pickDayBoundary(setting, offset);
    return { from: at - random.int(1, 4) * 10 * minuteMs, to: at + random.int(0, 4) * 10 * minuteMs };
  });
  const value = { value: random.int(5, 40), unit: 'min' };
  return [{ gadget, samples: spans.map((span) => makeSampleAt(format, 'rem_sleep', span, value)) }];
};

/** A workout that begins around the end of a day, there or at home. */
export const workoutAbroad: SessionEdgeCase = (setting, [gadget]): DeviceRecords[] => {
  const { random } = setting;
  const offset = pickFarOffset(setting);
  const from = pickDayBoundary(setting, offset) + random.pick([-45, -20, 0, 20]) * minuteMs - random.pick([0, 0, 1]);
  const span = { from, to: from + random.int(2, 12) * 10 * minuteMs };
  return [
    {
      gadget,
      workouts: [
        { type: 'running', ...writeSpan(makeTimestampFormat(setting, offset), span), ...makeWorkoutNumbers(random) },
      ],
    },
  ];
};
