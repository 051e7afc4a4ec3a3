// The pages of an invitation: what it is, that it was accepted, or why it cannot be. Names of teams and people are foreign text.

import { type PlainPage, plainPage } from '../../../shared/http/page.ts';
import { badSign, goodSign, waitSign } from '../../../shared/http/signs.ts';
import { zoneField, zoneScript } from '../../../shared/http/zone-field.ts';
import type { Language } from '../../../shared/platform/language.ts';
import { type Markup, markup } from '../../../shared/platform/markup.ts';
import type { JoinProblem, OpenedInvitation } from '../../../shared/team/join.ts';
import { joinDeadline, teamWordsIn } from '../../../shared/team/words-team-words.ts';
import type { JoinSentences } from '../../../shared/team/words-words.ts';

const joinProblemStatus = {
  unknown_link: 404,
  accepted: 410,
  revoked: 410,
  expired: 410,
  user_gone: 410,
  team_closed: 409,
} as const satisfies Record<JoinProblem, number>;

export const joinStatus = ({ problem }: OpenedInvitation) => (problem === undefined ? 200 : joinProblemStatus[problem]);

export type GoodInvitation = Extract<OpenedInvitation, { problem: undefined }>;

export function invitationPage({ row, team }: GoodInvitation): PlainPage {
  const { language: lang, email, name, expiresMs } = row;
  const words = teamWordsIn[lang];
  const heading = words.page.heading(team);
  const whom = [name, email].filter((each) => each !== null).join(', ');
  return plainPage({
    title: heading,
    forms: 'here',
    lang,
    script: zoneScript,
    content: markup`<h1>${heading}</h1>
<p class="lead">${words.page.lead(team)}</p>
<p>${words.page.forWhom(whom)}</p>
<p>${words.meaning(team)}</p>
<p>${words.leaving}</p>
<form method="post" action="?" class="actions">${zoneField}<button class="primary">${words.action}</button></form>
<p class="foot">${joinDeadline(words, expiresMs)} ${words.page.ignore}</p>`,
  });
}

export const joinedPage = ({ row, team }: GoodInvitation): PlainPage =>
  told(row.language, goodSign, teamWordsIn[row.language].page.joined(team));

export const joinProblemPage = (problem: JoinProblem, team: string | undefined, language: Language): PlainPage =>
  told(language, signOf(problem), teamWordsIn[language].page.problems[problem](team));

function told(lang: Language, sign: Markup, { heading, text }: JoinSentences): PlainPage {
  return plainPage({ title: heading, lang, content: markup`${sign}<h1>${heading}</h1><p class="lead">${text}</p>` });
}

const signOf = (problem: JoinProblem): Markup =>
  problem === 'accepted' ? goodSign : problem === 'expired' || problem === 'team_closed' ? waitSign : badSign;
