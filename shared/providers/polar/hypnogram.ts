// Polar's hypnogram: the local time at which each stage of a night begins, to the minute.
import * as z from 'zod';
import type { SleepStage } from '../../catalog/sleep-stages.ts';
import type { NightStage, RecordBuilder } from '../kit/record-builder.ts';
import { type LocalClock, nextLocalTime, parseTimeOfDay } from './clock.ts';
import type { PolarNight } from './items.ts';

/** There are two levels of light sleep. Other codes are unrecognized or not documented. */
const stageByCode: ReadonlyMap<unknown, SleepStage> = new Map([
  [0, 'awake'],
  [1, 'rem'],
  [2, 'light'],
  [3, 'light'],
  [4, 'deep'],
]);

const Hypnogram = z.record(z.string(), z.unknown());

const hourMs = 3_600_000;
/** The first time may be a minute before the night begins. */
const marginMs = hourMs;
/** In a longer night, a time of day may occur twice, the more so when clocks go forward. */
const maxNightMs = 22 * hourMs;

interface StageStart {
  path: string;
  startMs: number;
  stage: SleepStage;
  /** The clocks go back, so this local time occurs twice. */
  isAmbiguous: boolean;
}

/**
 * Each stage ends where the next one begins, and the last one where the night ends. Between an
 * ambiguous time and the next one that is not, the stage is not known. A night whose local times
 * cannot be placed, or whose hypnogram cannot be read, keeps the stages that it has.
 */
export function readPolarStages(
  builder: RecordBuilder,
  nightPath: string,
  { hypnogram, times }: PolarNight,
  clock: LocalClock,
): { stages: NightStage[] } | { keepsStages: true } {
  const { startMs, endMs } = times;
  if (hypnogram === undefined || hypnogram === null) return { stages: [] };
  const path = `${nightPath}.hypnogram`;
  const { data: codes } = Hypnogram.safeParse(hypnogram);
  if (!codes) {
    builder.reject(path, 'implausible_value', 'The hypnogram must be an object of codes by time of day.');
    return { keepsStages: true };
  }
  if (!clock.isKnown || endMs - startMs > maxNightMs) return { keepsStages: true };
  const earliest = clock.toLocal(startMs) - marginMs;
  const starts: StageStart[] = [];
  for (const [time, code] of Object.entries(codes)) {
    const timeOfDayMs = parseTimeOfDay(time);
    // The end of the stage before it is unknown, too.
    if (timeOfDayMs === undefined) {
      builder.reject(path, 'implausible_value', 'Every stage must begin at a time of day.');
      return { stages: [] };
    }
    const localMs = nextLocalTime(earliest, timeOfDayMs);
    starts.push({
      path: `${path}.${time}`,
      startMs: clock.toInstant(localMs),
      stage: stageByCode.get(code) ?? 'unknown',
      isAmbiguous: clock.isAmbiguous(localMs),
    });
  }
  const sorted = starts.toSorted((a, b) => a.startMs - b.startMs);
  const stages = sorted.flatMap(({ isAmbiguous, ...start }, at) =>
    isAmbiguous ? [] : [{ ...start, endMs: sorted[at + 1]?.startMs ?? endMs }],
  );
  return { stages };
}
