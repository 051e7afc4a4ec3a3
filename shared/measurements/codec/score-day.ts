// Binary format of a day's scores: the layout byte, then for each score its index, value and number
// of factors, and for each factor its index, direction and contribution. Versions, confidence and
// the reasons for missing values are stored separately (see score-notes.ts).

import type { ScoreId } from '../../catalog/score-ids.ts';
import { type ScoreRow, scoreTable } from '../../catalog/score-table.ts';
import { UnreadableData } from '../../platform/bytes.ts';
import { directions, type Score, type ScoreFactor } from '../score.ts';

const version1 = 0x51;
const directionBits = 2;

type Value = Pick<Score, 'value' | 'factors'>;

export function packScores(scores: ReadonlyMap<ScoreId, Value>): Uint8Array {
  const bytes: number[] = [version1];
  for (const { id, index, factors: knownFactors } of scoreTable) {
    const score = scores.get(id);
    if (!score) continue;
    bytes.push(index, score.value, score.factors.length);
    for (const { name, contribution, direction } of score.factors) {
      const at = knownFactors.find((factor) => factor.name === name)?.index;
      if (at === undefined) throw new RangeError(`${id} has no factor ${name}`);
      bytes.push((at << directionBits) | directions.indexOf(direction), contribution);
    }
  }
  return Uint8Array.from(bytes);
}

export function unpackScores(bytes: Uint8Array): Map<ScoreId, Value> {
  let at = 0;
  const next = (): number => {
    const byte = bytes[at++];
    if (byte === undefined) throw new UnreadableData('a day of scores ends too early');
    return byte;
  };
  const layout = next();
  if (layout !== version1)
    throw new UnreadableData(
      `a day of scores has layout ${layout}, which this release does not know: deploy the release that wrote it`,
    );
  const scores = new Map<ScoreId, Value>();
  while (at < bytes.length) {
    const index = next();
    const row = scoreTable.find((each) => each.index === index);
    if (!row) throw new UnreadableData(`a day has score ${index}, which this release does not know`);
    const value = next();
    const factors = Array.from({ length: next() }, () => readFactor(row.factors, next(), next()));
    scores.set(row.id, { value, factors });
  }
  return scores;
}

function readFactor(knownFactors: ScoreRow['factors'], code: number, contribution: number): ScoreFactor {
  const name = knownFactors.find(({ index }) => index === code >> directionBits)?.name;
  const direction = directions[code & ((1 << directionBits) - 1)];
  if (name === undefined || direction === undefined)
    throw new UnreadableData(`a score has factor ${code}, which this release does not know`);
  return { name, contribution, direction };
}
