// A connect link that leads nowhere (any more).

import type { ConnectLinkProblem } from '../../../shared/connections/connect/connect-link.ts';
import { connectLinkHours } from '../../../shared/connections/connection.ts';
import { type PlainPage, plainPage } from '../../../shared/http/page.ts';
import { badSign, waitSign } from '../../../shared/http/signs.ts';
import { markup } from '../../../shared/platform/markup.ts';
import { outcomeWords } from './outcome-words.ts';

export function linkProblemPage(problem: ConnectLinkProblem): PlainPage {
  const expired = problem === 'link_expired';
  const { heading, why, next } = outcomeWords[problem]('your wearable');
  const reason = expired ? `To keep your data safe, this page works for ${connectLinkHours} hours.` : why;
  return plainPage({
    title: heading,
    content: markup`${expired ? waitSign : badSign}<h1>${heading}</h1><p class="lead">${reason}</p><p>${next}</p>`,
  });
}
