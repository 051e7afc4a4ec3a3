// Why a day has no score, in the words both pages on scores use.

import {
  type MissingReason,
  missingReasons,
  type NoScore,
  type NotApplicableReason,
  notApplicableReasons,
} from '../../../shared/catalog/score-states.ts';
import { form2ScoreIds, scoreRow } from '../../../shared/catalog/score-table.ts';
import { minBaselineDays } from '../../../shared/scores/baseline.ts';

export const scoreStateTexts = {
  calibrating: 'Calibrating: {days} of {needed} days so far',
  /** Of today, in place of that nothing was measured. */
  nothing_yet: 'Nothing yet today',
  reasons: {
    no_data: 'What it needs was not measured or logged',
    no_main_sleep: 'Under three hours asleep were seen: a nap is not a night',
    log_incomplete: 'Too little was logged to be a whole day of food',
    not_worn: 'Hardly a step or any active energy: taken as not worn',
    too_few_nutrients: 'Neither protein, with a body weight, nor fibre was logged',
    no_strain: 'There is no strain score for the day',
    under_18: 'Made for adults: not computed under 18 years',
    under_1: 'Published hours begin at one year of age',
  } satisfies Record<MissingReason | NotApplicableReason, string>,
} as const;

/** The scores an account gets by default, as the demo names and colours them. */
export const demoScores = Object.fromEntries(
  form2ScoreIds.map((id) => [id, { name: scoreRow(id).displayName, better: scoreRow(id).better }]),
);

export const describeScoreState = (state: NoScore): string =>
  state.status === 'calibrating'
    ? scoreStateTexts.calibrating.replace('{days}', String(state.days)).replace('{needed}', String(state.needed))
    : scoreStateTexts.reasons[state.reason];

/** A row for each of them, as an app may say it. */
export const renderScoreStates = (): string => {
  const row = (state: NoScore): string => {
    const reason = 'reason' in state ? ` <code>${state.reason}</code>` : '';
    const today = 'reason' in state && state.reason === 'no_data' ? ` (of today: ${scoreStateTexts.nothing_yet})` : '';
    return `<tr><td><code>${state.status}</code>${reason}</td><td>${describeScoreState(state)}${today}</td></tr>`;
  };
  return [
    row({ status: 'calibrating', days: 3, needed: minBaselineDays }),
    ...missingReasons.map((reason) => row({ status: 'missing', reason })),
    ...notApplicableReasons.map((reason) => row({ status: 'not_applicable', reason })),
  ].join('\n');
};
