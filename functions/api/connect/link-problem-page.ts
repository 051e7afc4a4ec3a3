// The page for a connect link that does not work, or no longer works.

import type { ConnectLinkProblem } from '../../../shared/connections/connect/connect-link.ts';
import { connectLinkHours } from '../../../shared/connections/connection.ts';
import { errorIcon, waitingIcon } from '../../../shared/http/icons.ts';
import { type PlainPage, renderPlainPage } from '../../../shared/http/page.ts';
import { markup } from '../../../shared/platform/markup.ts';
import { outcomeTexts } from './outcome-text.ts';

export function renderLinkProblemPage(problem: ConnectLinkProblem): PlainPage {
  const isExpired = problem === 'link_expired';
  const { heading, why, next } = outcomeTexts[problem]('your wearable');
  const reason = isExpired ? `To keep your data safe, this page works for ${connectLinkHours} hours.` : why;
  return renderPlainPage({
    title: heading,
    content: markup`${isExpired ? waitingIcon : errorIcon}<h1>${heading}</h1><p class="lead">${reason}</p><p>${next}</p>`,
  });
}
