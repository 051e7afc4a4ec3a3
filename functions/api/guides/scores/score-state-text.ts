// The reasons why a day has no score, in the words that both score pages use.

import {
  type MissingReason,
  missingReasons,
  type NoScore,
  type NotApplicableReason,
  notApplicableReasons,
} from '../../../../shared/catalog/score-states.ts';
import { minBaselineDays } from '../../../../shared/scores/baseline.ts';

export const scoreStateTexts = {
  calibrating: 'Calibrating: {days} of {needed} days so far',
  /** Replaces `no_data` for today. */
  nothing_yet: 'Nothing yet today',
  reasons: {
    no_data: 'The required data was not measured or logged',
    no_main_sleep: 'Only a nap was recorded: a nap is not a night',
    log_incomplete: 'Too little food was logged for a whole day',
    not_worn: 'Hardly any steps or active energy: counted as not worn',
    too_few_nutrients: 'Neither protein (with a body weight) nor fibre was logged',
    no_strain: 'The day has no strain score',
    under_18: 'For adults only: not computed under 18 years',
    under_1: 'Published sleep durations start at one year of age',
  } satisfies Record<MissingReason | NotApplicableReason, string>,
} as const;

export const describeScoreState = (state: NoScore): string =>
  state.status === 'calibrating'
    ? scoreStateTexts.calibrating.replace('{days}', String(state.days)).replace('{needed}', String(state.needed))
    : scoreStateTexts.reasons[state.reason];

/** One row per state, with a text that an app can show. */
export const renderScoreStates = (): string => {
  const row = (state: NoScore): string => {
    const reason = 'reason' in state ? ` <code>${state.reason}</code>` : '';
    const today = 'reason' in state && state.reason === 'no_data' ? ` (for today: ${scoreStateTexts.nothing_yet})` : '';
    return `<tr><td><code>${state.status}</code>${reason}</td><td>${describeScoreState(state)}${today}</td></tr>`;
  };
  return [
    row({ status: 'calibrating', days: 3, needed: minBaselineDays }),
    ...missingReasons.map((reason) => row({ status: 'missing', reason })),
    ...notApplicableReasons.map((reason) => row({ status: 'not_applicable', reason })),
  ].join('\n');
};
