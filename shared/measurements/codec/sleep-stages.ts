// Packs the stages of a night into a short text, such as `l1500d900_60r840`: a letter and the
// seconds that the stage lasted, and `_` for the time between two stages. It counts from the start
// of the night.
import { type SleepStage, sleepStages } from '../../catalog/sleep-stages.ts';
import type { StagePeriod } from '../records.ts';

const letters = {
  awake: 'a',
  light: 'l',
  deep: 'd',
  rem: 'r',
  asleep: 's',
  out_of_bed: 'o',
  unknown: 'u',
} as const satisfies Record<SleepStage, string>;
const stageByLetter = new Map<string, SleepStage>(sleepStages.map((stage) => [letters[stage], stage]));
const gap = '_';

/** The stages are sorted and do not overlap; the first does not begin before the night. */
export function packStages(nightStartMs: number, stages: readonly StagePeriod[]): string {
  let atMs = nightStartMs;
  let text = '';
  for (const { stage, startMs, endMs } of stages) {
    if (startMs < atMs || endMs <= startMs) throw new RangeError('the stages of a night must follow one another');
    if (startMs > atMs) text += gap + toSeconds(startMs - atMs);
    text += letters[stage] + toSeconds(endMs - startMs);
    atMs = endMs;
  }
  return text;
}

/** To the millisecond: a smaller number would be written with an exponent. */
const toSeconds = (ms: number): number => Math.round(ms) / 1000;

export function unpackStages(nightStartMs: number, text: string): StagePeriod[] {
  let atMs = nightStartMs;
  const stages: StagePeriod[] = [];
  for (const [, letter = '', seconds] of text.matchAll(/([a-z_])([\d.]+)/g)) {
    const startMs = atMs;
    atMs += Math.round(Number(seconds) * 1000);
    const stage = stageByLetter.get(letter);
    if (stage) stages.push({ stage, startMs, endMs: atMs });
    else if (letter !== gap) throw new RangeError(`no sleep stage has the letter ${letter}`);
  }
  return stages;
}
