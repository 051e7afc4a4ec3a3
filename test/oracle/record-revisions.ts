// Later versions of records: corrected, moved to another offset, extended, shortened, or with an
// earlier start.

import type { Random } from './random.ts';
import type { WireNight, WireSample, WireTotal, WireWorkout } from './scenario.ts';
import { makeMinutes, makeWorkoutNumbers, writeNight } from './scenario-sessions.ts';
import { type Gadget, offsetText, pickTimestampFormat } from './scenario-setting.ts';
import { makeValue } from './scenario-values.ts';

export function reviseSample(random: Random, wire: WireSample): WireSample {
  const moved = random.chance(0.5) ? { utc_offset: pickOffset(random) } : {};
  const corrected = random.chance(0.6) || !moved.utc_offset ? makeValue(random, wire.metric) : {};
  return { ...wire, ...moved, ...corrected };
}

export const reviseTotal = (random: Random, wire: WireTotal): WireTotal => ({
  ...wire,
  ...makeValue(random, wire.metric, 10),
});

export function reviseNight(random: Random, gadget: Gadget, wire: WireNight): WireNight {
  const [from, to] = [Date.parse(wire.start), Date.parse(wire.end)];
  switch (random.pick(['grown', 'grown', 'moved', 'corrected', 'restarted'])) {
    case 'grown': {
      const end = Math.max(from + 600_000, to + random.int(-90, 180) * 60_000 + random.int(0, 59) * 1000);
      return writeNight(gadget, random, from, end, makeMinutes(random, (end - from) / 60_000));
    }
    case 'moved':
      return { ...wire, utc_offset: pickOffset(random) };
    case 'corrected':
      return writeNight(gadget, random, from, to, makeMinutes(random, (to - from) / 60_000));
    default: {
      const start = Math.min(to - 600_000, from + random.int(-60, 60) * 60_000);
      return writeNight(gadget, random, start, to, makeMinutes(random, (to - start) / 60_000));
    }
  }
}

export function reviseWorkout(random: Random, gadget: Gadget, wire: WireWorkout): WireWorkout {
  if (random.chance(0.3)) return { ...wire, utc_offset: pickOffset(random) };
  const { heart_rate, ...rest } = wire;
  const base = { type: rest.type, start: rest.start, ...(random.chance(0.5) && heart_rate ? { heart_rate } : {}) };
  const later = Date.parse(wire.end) + random.int(0, 90) * 60_000;
  const { write, utc_offset } = pickTimestampFormat(random, gadget, later);
  return {
    ...base,
    end: random.chance(0.6) ? write(later) : rest.end,
    ...(utc_offset === undefined ? {} : { utc_offset }),
    ...makeWorkoutNumbers(random),
  };
}

const pickOffset = (random: Random): string => offsetText(random.pick([-720, -660, -210, 0, 60, 345, 630, 840]));
