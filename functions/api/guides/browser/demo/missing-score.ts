// Why a day of the demo has no score, in words.
import type { NoScore } from '../../../../../shared/catalog/score-states.ts';
import type { ApiSchemas } from '../../../docs-kit/browser/api-response.ts';
import { describeScoreState, scoreStateTexts } from '../../scores/score-state-text.ts';

export type DemoScoreDay = Pick<
  ApiSchemas['ScoreHistoryRow'],
  'date' | 'value' | 'confidence' | 'status' | 'reason' | 'days' | 'needed'
>;

/** Until today's data arrives, today is not reported as missing. */
export function describeMissingScore(today: string, day: DemoScoreDay): string {
  if (day.date === today && day.reason === 'no_data') return scoreStateTexts.nothing_yet;
  const state = toNoScore(day);
  return state === undefined ? '' : describeScoreState(state);
}

/** Undefined for a day that has a score. */
function toNoScore({ status, reason, days = 0, needed = 0 }: DemoScoreDay): NoScore | undefined {
  if (status === 'calibrating') return { status, days, needed };
  if (reason === 'under_18' || reason === 'under_1') return { status: 'not_applicable', reason };
  return reason === undefined ? undefined : { status: 'missing', reason };
}
