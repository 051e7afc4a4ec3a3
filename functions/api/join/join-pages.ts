// The pages of an invitation: what it is, that it was accepted, or why it cannot be. Names of teams and people are foreign text.
import type { JoinProblem, OpenedInvitation } from '../../../shared/domain/team/join.ts';
import { type PlainPage, plainPage } from '../../../shared/http/pages/page.ts';
import { badSign, goodSign, waitSign } from '../../../shared/http/pages/signs.ts';
import type { Language } from '../../../shared/model/language.ts';
import { type Markup, markup } from '../../../shared/model/markup.ts';
import { joiningInGerman } from './join-words/de.ts';
import { joiningInEnglish } from './join-words/en.ts';
import { joiningInSpanish } from './join-words/es.ts';
import { joiningInFrench } from './join-words/fr.ts';
import type { JoinSentences, JoinWords } from './join-words/words.ts';

const wordsIn: Readonly<Record<Language, JoinWords>> = {
  en: joiningInEnglish,
  de: joiningInGerman,
  fr: joiningInFrench,
  es: joiningInSpanish,
};

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
  const words = wordsIn[lang];
  const heading = words.heading(team);
  const whom = [name, email].filter((each) => each !== null).join(', ');
  return plainPage({
    title: heading,
    forms: 'here',
    lang,
    content: markup`<h1>${heading}</h1>
<p class="lead">${words.lead(team)}</p>
<p>${words.forWhom(whom)}</p>
<p>${words.meaning(team)}</p>
<p>${words.leaving}</p>
<form method="post" action="?" class="actions"><button class="primary">${words.action}</button></form>
<p class="foot">${words.deadline} ${time(words, expiresMs)}. ${words.ignore}</p>`,
  });
}

export const joinedPage = ({ row, team }: GoodInvitation): PlainPage =>
  told(row.language, goodSign, wordsIn[row.language].joined(team));

export const joinProblemPage = (problem: JoinProblem, team: string | undefined, language: Language): PlainPage =>
  told(language, signOf(problem), wordsIn[language].problems[problem](team));

function told(lang: Language, sign: Markup, { heading, text }: JoinSentences): PlainPage {
  return plainPage({ title: heading, lang, content: markup`${sign}<h1>${heading}</h1><p class="lead">${text}</p>` });
}

const signOf = (problem: JoinProblem): Markup =>
  problem === 'accepted' ? goodSign : problem === 'expired' || problem === 'team_closed' ? waitSign : badSign;

/** With the clock time, because the day is not over everywhere at once. */
function time({ locale }: JoinWords, ms: number): Markup {
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(ms);
  return markup`<time datetime="${new Date(ms).toISOString()}">${date} UTC</time>`;
}
