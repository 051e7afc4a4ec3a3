// The stages of an Oura sleep: one digit for every step of 30 seconds, or of five minutes, counted
// from the start of the sleep.
import type { SleepStage } from '../../catalog/sleep-stages.ts';
import type { NightStage, RecordBuilder } from '../kit/record-builder.ts';
import type { OuraSleep } from './items.ts';

const stageByDigit: ReadonlyMap<string, SleepStage> = new Map([
  ['1', 'deep'],
  ['2', 'light'],
  ['3', 'rem'],
  ['4', 'awake'],
]);

/** The finest first. Older documents have only the coarse one. */
const phaseFields = [
  { name: 'sleep_phase_30_sec', stepMs: 30_000 },
  { name: 'sleep_phase_5_min', stepMs: 300_000 },
] as const;

/** Empty if the sleep has no stages. Digits that Oura does not describe are unknown. */
export function readOuraStages(builder: RecordBuilder, path: string, sleep: OuraSleep): NightStage[] {
  for (const { name, stepMs } of phaseFields) {
    const phases = sleep[name];
    if (phases === undefined || phases === null || phases === '') continue;
    if (typeof phases === 'string' && /^\d+$/.test(phases))
      return toStages(`${path}.${name}`, sleep.bedtime_start.ms, phases, stepMs);
    builder.reject(`${path}.${name}`, 'implausible_value', `${name} must be a text of digits.`);
  }
  return [];
}

/** Equal digits in a row are one stage. The builder cuts the last step at the end of the sleep. */
const toStages = (path: string, sleepStartMs: number, digits: string, stepMs: number): NightStage[] =>
  Array.from(digits.matchAll(/(\d)\1*/g), ({ 0: run, 1: digit = '', index }) => ({
    path: `${path}.${index}`,
    stage: stageByDigit.get(digit) ?? 'unknown',
    startMs: sleepStartMs + index * stepMs,
    endMs: sleepStartMs + (index + run.length) * stepMs,
  }));
