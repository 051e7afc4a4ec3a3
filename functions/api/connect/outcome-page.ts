// The page that shows the outcome of connecting to users who have no app to return to.

import type { CloudProviderId } from '../../../shared/catalog/provider.ts';
import type { ConnectOutcome, ConnectProblem } from '../../../shared/connections/connect/complete-connection.ts';
import { errorIcon, successIcon, waitingIcon } from '../../../shared/http/icons.ts';
import { type PlainPage, renderPlainPage } from '../../../shared/http/page.ts';
import { type Markup, markup } from '../../../shared/platform/markup.ts';
import { getProviderLabel } from '../../../shared/providers/provider-label.ts';
import { buildAppUrl } from './app-url.ts';
import { type OutcomeText, outcomeTexts, startAgainText } from './outcome-text.ts';

export const problemStatus = {
  access_denied: 403,
  scopes_missing: 403,
  unknown_link: 404,
  link_expired: 410,
  link_used: 410,
  link_revoked: 410,
  account_suspended: 402,
  other_browser: 403,
  wrong_provider: 400,
  code_refused: 400,
  consent_ended: 403,
  replaced: 410,
  provider_unavailable: 502,
  not_configured: 503,
} as const satisfies Record<ConnectProblem, number>;

/** The status for a link that is being opened but not completed, which can fail in fewer ways. */
export const toLinkStatus = (problem: ConnectProblem | undefined): 402 | 404 | 410 | 503 => {
  const status = problemStatus[problem ?? 'unknown_link'];
  return status === 402 || status === 410 || status === 503 ? status : 404;
};

/** For a prefetch or a HEAD request: nothing has been completed yet. */
export const renderUnfinishedPage = ({ provider }: ConnectOutcome): PlainPage =>
  renderPlainPage({
    title: 'Almost connected',
    content: markup`${waitingIcon}<h1>${formatProviderName(provider)} is not connected yet</h1><p class="lead">Load this page to finish.</p><p class="actions"><a class="button primary" href="">Continue</a></p>`,
  });

export function renderOutcomePage(outcome: ConnectOutcome): PlainPage {
  const { heading, why, next } = selectOutcomeText(outcome);
  return renderPlainPage({
    title: heading,
    content: markup`${selectIcon(outcome.problem)}<h1>${heading}</h1><p class="lead">${why}</p><p>${next}</p>${renderBackLink(outcome)}`,
  });
}

function selectOutcomeText({ problem, provider, advice }: ConnectOutcome): OutcomeText {
  const defaultText = outcomeTexts[problem ?? 'connected'](formatProviderName(provider));
  return advice === undefined
    ? defaultText
    : { ...defaultText, why: `${advice} Nothing was shared.`, next: startAgainText };
}

export const formatProviderName = (provider: CloudProviderId | undefined): string =>
  provider === undefined ? 'your wearable' : getProviderLabel(provider);

function selectIcon(problem: ConnectProblem | undefined): Markup {
  if (problem === undefined) return successIcon;
  const isTemporary = problem === 'link_expired' || problem === 'link_used' || problem === 'provider_unavailable';
  return isTemporary ? waitingIcon : errorIcon;
}

function renderBackLink(outcome: ConnectOutcome): Markup | undefined {
  const { returnTo } = outcome;
  const [url, name] =
    returnTo === undefined ? [buildAppUrl(outcome), 'Back to your app'] : [returnTo, 'Back to your wearables'];
  return url === undefined
    ? undefined
    : markup`<p class="actions"><a class="button primary" href="${url}">${name}</a></p>`;
}
