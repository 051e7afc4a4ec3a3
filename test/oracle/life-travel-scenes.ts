// Scenes of records that carry the offset of another place, where it is often another day, and of days that are
// stated beside them.
import type { WireSample } from './life.ts';
import { halfValue } from './life-borders.ts';
import { sampleOf } from './life-samples.ts';
import { minuteMs, type Placed, type Scene, type SessionScene, small, someDay } from './life-scene.ts';
import { minutesOf, workoutNumbers } from './life-sessions.ts';
import { type Gadget, hourMs, numeric, offsetText, type Setting, type Stamp, zulu } from './life-setting.ts';
import type { Amounted } from './life-values.ts';
import { dayBounds, localDate, type Span } from './zone-clock.ts';

/** At the ends of the world, and between two hours. */
const farOffset = ({ random }: Setting): number => random.pick([840, 840, 780, 765, 345, 0, -210, -660, -660, -720]);

/** Where a day ends: the profile's, or that of the place. */
function turnOfDay(setting: Setting, offsetMinutes: number): number {
  const { random, dates } = setting;
  const { from, to } = random.chance(0.6) ? someDay(setting) : dayBounds({ offsetMinutes }, random.pick(dates));
  return random.pick([from, to]);
}

/** The offset stands beside the times, or in them. */
const stampOf = ({ random }: Setting, offset: number): Stamp =>
  random.chance(0.5) ? { write: zulu, utc_offset: offsetText(offset) } : { write: (ms: number) => numeric(ms, offset) };

const placed = ({ write, utc_offset }: Stamp, { from, to }: Span) => ({
  start: write(from),
  end: write(to),
  ...(utc_offset === undefined ? {} : { utc_offset }),
});

function sampleAt(stamp: Stamp, metric: string, span: Span, value: Amounted): WireSample {
  const { end, ...rest } = placed(stamp, span);
  return { metric, ...rest, ...(span.from < span.to ? { end } : {}), ...value };
}

/** Over the end of a day, perhaps in a place where it is none. */
export const walkedAbroad: Scene = (setting, metric, pair) => {
  const { random } = setting;
  return pair.map((gadget) => {
    const offset = farOffset(setting);
    const spans = Array.from({ length: random.int(1, 3) }, (): Span => {
      const at = turnOfDay(setting, offset);
      return { from: at - random.int(0, 8) * 15 * minuteMs, to: at + random.int(1, 8) * 15 * minuteMs };
    });
    const samples = spans.map((span) => sampleAt(stampOf(setting, offset), metric, span, small(setting, metric)));
    return { gadget, samples };
  });
};

/** Readings at the end of a day, told from elsewhere or from nowhere. */
export const readAbroad: Scene = (setting, metric, pair) => {
  const { random } = setting;
  return pair.map((gadget) => {
    const offset = farOffset(setting);
    const at = turnOfDay(setting, offset);
    const samples = [at - 1, at, at + 1000, at + 12 * hourMs, at - 12 * hourMs]
      .filter(() => random.chance(0.6))
      .map((moment) => {
        const span = { from: moment, to: moment };
        const stamp = random.chance(0.8) ? stampOf(setting, offset) : { write: zulu };
        return sampleAt(stamp, metric, span, halfValue(random, metric));
      });
    return { gadget, samples };
  });
};

/** A total for a calendar day, which stays on it, beside samples that move away from it and onto it. */
export const statedDay: Scene = (setting, metric, [one, other]) => {
  const { random, home } = setting;
  const { from, to } = someDay(setting);
  const noon = (from + to) / 2;
  const walk = (gadget: Gadget, hour: number): WireSample => {
    const start = from + hour * hourMs;
    return sampleOf(setting, gadget, metric, { from: start, to: start + hourMs }, small(setting, metric));
  };
  const hours = [-3, -1, 0, 2, 11, 22, 23, 25].filter(() => random.chance(0.5));
  const total = { date: localDate(home, noon), metric, ...small(setting, metric) };
  return [
    { gadget: one, daily: [total], samples: hours.map((hour) => walk(one, hour)) },
    ...(random.chance(0.5) ? [{ gadget: other, samples: [walk(other, random.pick([-2, 1, 24]))] }] : []),
  ];
};

/** A night that ends where a day does, there or at home, and what its device measured in it and after it. */
export const sleptAbroad: SessionScene = (setting, [gadget]): Placed[] => {
  const { random } = setting;
  const offset = farOffset(setting);
  const to = turnOfDay(setting, offset) + random.pick([-90, -30, 0, 30, 90, 400]) * minuteMs - random.pick([0, 0, 1]);
  const from = to - random.int(3, 9) * hourMs;
  const told = minutesOf(random, (to - from) / minuteMs);
  const { deep_minutes: _deep, ...minutes } = told;
  const stage = (hoursBefore: number): WireSample => {
    const start = to - hoursBefore * hourMs;
    const span = { from: start, to: start + 40 * minuteMs };
    const there = random.chance(0.7) ? stampOf(setting, farOffset(setting)) : { write: zulu };
    return sampleAt(there, 'deep_sleep', span, { value: 40, unit: 'min' });
  };
  return [
    {
      gadget,
      sleep: [{ ...placed(stampOf(setting, offset), { from, to }), ...(random.chance(0.3) ? told : minutes) }],
      // The last one ends after the night.
      samples: [2, 1, -1].filter(() => random.chance(0.8)).map(stage),
    },
  ];
};

/** Stages that no night holds, over the end of a day, there or at home. */
export const stagedAlone: SessionScene = (setting, [gadget]): Placed[] => {
  const { random } = setting;
  const offset = farOffset(setting);
  const stamp = random.chance(0.5) ? stampOf(setting, offset) : { write: zulu };
  const spans = Array.from({ length: random.int(1, 2) }, (): Span => {
    const at = turnOfDay(setting, offset);
    return { from: at - random.int(1, 4) * 10 * minuteMs, to: at + random.int(0, 4) * 10 * minuteMs };
  });
  const value = { value: random.int(5, 40), unit: 'min' };
  return [{ gadget, samples: spans.map((span) => sampleAt(stamp, 'rem_sleep', span, value)) }];
};

/** A workout that begins where a day ends, there or at home. */
export const trainedAbroad: SessionScene = (setting, [gadget]): Placed[] => {
  const { random } = setting;
  const offset = farOffset(setting);
  const from = turnOfDay(setting, offset) + random.pick([-45, -20, 0, 20]) * minuteMs - random.pick([0, 0, 1]);
  const span = { from, to: from + random.int(2, 12) * 10 * minuteMs };
  return [
    { gadget, workouts: [{ type: 'running', ...placed(stampOf(setting, offset), span), ...workoutNumbers(random) }] },
  ];
};
