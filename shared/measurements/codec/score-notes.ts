// Binary format of the notes on a day's scores: the layout byte, then for each score its index, the
// kind of its note and the note.
// - 0: the score has a value; the version of its formula and its confidence follow.
// - 1: calibrating; the days so far and the days needed follow.
// - 2: missing; the reason follows.
// - 3: not applicable; the reason follows.
//
// A score without a note has no data.
import type { ScoreId } from '../../catalog/score-ids.ts';
import {
  type Confidence,
  confidences,
  missingReasons,
  type NoScore,
  notApplicableReasons,
} from '../../catalog/score-states.ts';
import { scoreTable } from '../../catalog/score-table.ts';
import { UnreadableData } from '../../platform/bytes.ts';

const version1 = 0x61;
const kindBits = 2;
const kinds = ['value', 'calibrating', 'missing', 'not_applicable'] as const;

export type ScoreNote = { status: 'value'; version: number; confidence: Confidence } | NoScore;

export function packScoreNotes(notes: ReadonlyMap<ScoreId, ScoreNote>): Uint8Array {
  const bytes: number[] = [version1];
  for (const { id, index } of scoreTable) {
    const note = notes.get(id);
    if (!note || isNoData(note)) continue;
    bytes.push((index << kindBits) | kinds.indexOf(note.status), ...encodeDetails(note));
  }
  return Uint8Array.from(bytes);
}

export const isNoData = (note: ScoreNote): boolean => note.status === 'missing' && note.reason === 'no_data';

function encodeDetails(note: ScoreNote): number[] {
  switch (note.status) {
    case 'value':
      return [note.version, confidences.indexOf(note.confidence)];
    case 'calibrating':
      return [note.days, note.needed];
    case 'missing':
      return [missingReasons.indexOf(note.reason)];
    case 'not_applicable':
      return [notApplicableReasons.indexOf(note.reason)];
  }
}

export function unpackScoreNotes(bytes: Uint8Array): Map<ScoreId, ScoreNote> {
  let at = 0;
  const next = (): number => {
    const byte = bytes[at++];
    if (byte === undefined) throw new UnreadableData('the notes on a day of scores end too early');
    return byte;
  };
  const readOne = <T>(list: readonly T[]): T => {
    const position = next();
    const entry = list[position];
    if (entry === undefined) throw new UnreadableData(`a score has note ${position}, which this release does not know`);
    return entry;
  };
  const layout = next();
  if (layout !== version1)
    throw new UnreadableData(
      `the notes on a day of scores have layout ${layout}, which this release does not know: deploy the release that wrote it`,
    );
  const notes = new Map<ScoreId, ScoreNote>();
  while (at < bytes.length) {
    const code = next();
    const row = scoreTable.find(({ index }) => index === code >> kindBits);
    if (!row)
      throw new UnreadableData(`a day has a note on score ${code >> kindBits}, which this release does not know`);
    switch (kinds[code & ((1 << kindBits) - 1)] ?? 'value') {
      case 'value':
        notes.set(row.id, { status: 'value', version: next(), confidence: readOne(confidences) });
        break;
      case 'calibrating':
        notes.set(row.id, { status: 'calibrating', days: next(), needed: next() });
        break;
      case 'missing':
        notes.set(row.id, { status: 'missing', reason: readOne(missingReasons) });
        break;
      case 'not_applicable':
        notes.set(row.id, { status: 'not_applicable', reason: readOne(notApplicableReasons) });
        break;
    }
  }
  return notes;
}
