// Packs the stages of a night into a short text, such as `1l1500d900_60r840`: the version, then for
// each stage a letter and the seconds that it lasted, and `_` for the time between two stages. It
// counts from the start of the night.
import { type SleepStage, sleepStages } from '../../catalog/sleep-stages.ts';
import { UnreadableData } from '../../platform/bytes.ts';
import type { StagePeriod } from '../records.ts';

const version = '1';

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
  let text: string = version;
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
  if (!text.startsWith(version)) throw new UnreadableData(`the stages of a night have the version ${text.slice(0, 1)}`);
  let atMs = nightStartMs;
  let readTo = version.length;
  const stages: StagePeriod[] = [];
  for (const { 0: part, 1: letter = '', 2: seconds, index } of text.matchAll(/([a-z_])(\d+(?:\.\d+)?)/g)) {
    const startMs = atMs;
    atMs += Math.round(Number(seconds) * 1000);
    const stage = stageByLetter.get(letter);
    if (stage) stages.push({ stage, startMs, endMs: atMs });
    if (index !== readTo || (!stage && letter !== gap)) throw unreadable(text, readTo);
    readTo += part.length;
  }
  if (readTo !== text.length) throw unreadable(text, readTo);
  return stages;
}

const unreadable = (text: string, at: number): UnreadableData =>
  new UnreadableData(`the stages of a night contain ${text.slice(at, at + 20)}, which is no stage`);

/** Counts without unpacking; gaps do not count. */
export const countPackedStages = (text: string): number => text.match(/[a-z]/g)?.length ?? 0;
