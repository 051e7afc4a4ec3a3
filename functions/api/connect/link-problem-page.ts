// A connect link that leads nowhere (any more).

import type { ConnectLinkProblem } from '../../../shared/domain/connect/connect-link.ts';
import { type PlainPage, plainPage } from '../../../shared/http/pages/page.ts';
import { badSign, waitSign } from '../../../shared/http/pages/signs.ts';
import { connectLinkHours } from '../../../shared/model/connection.ts';
import { markup } from '../../../shared/model/markup.ts';
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
