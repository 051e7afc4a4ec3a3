// The pages of an invitation: what it is, that it was accepted, or why it cannot be accepted. Names
// of teams and people are untrusted text.

import { errorIcon, successIcon, waitingIcon } from '../../../shared/http/icons.ts';
import { type PlainPage, renderPlainPage } from '../../../shared/http/page.ts';
import { timeZoneField, timeZoneScript } from '../../../shared/http/time-zone-field.ts';
import type { Language } from '../../../shared/platform/language.ts';
import { type Markup, markup } from '../../../shared/platform/markup.ts';
import type { JoinProblem, OpenedInvitation } from '../../../shared/team/accept-invitation.ts';
import type { JoinText } from '../../../shared/team/team-text.ts';
import { formatJoinDeadline, teamTextByLanguage } from '../../../shared/team/team-text-by-language.ts';

const joinProblemStatus = {
  unknown_link: 404,
  accepted: 410,
  revoked: 410,
  expired: 410,
  user_gone: 410,
  team_closed: 409,
} as const satisfies Record<JoinProblem, number>;

export const toJoinStatus = ({ problem }: OpenedInvitation) =>
  problem === undefined ? 200 : joinProblemStatus[problem];

export type ValidInvitation = Extract<OpenedInvitation, { problem: undefined }>;

export function renderInvitationPage({ row, team }: ValidInvitation): PlainPage {
  const { language: lang, email, name, expiresMs } = row;
  const messages = teamTextByLanguage[lang];
  const heading = messages.page.heading(team);
  const invitee = [name, email].filter((each) => each !== null).join(', ');
  return renderPlainPage({
    title: heading,
    forms: 'here',
    lang,
    script: timeZoneScript,
    content: markup`<h1>${heading}</h1>
<p class="lead">${messages.page.lead(team)}</p>
<p>${messages.page.forWhom(invitee)}</p>
<p>${messages.meaning(team)}</p>
<p>${messages.leaving}</p>
<form method="post" action="?" class="actions">${timeZoneField}<button class="primary">${messages.action}</button></form>
<p class="footer">${formatJoinDeadline(messages, expiresMs)} ${messages.page.ignore}</p>`,
  });
}

/** Leads on to choosing wearables, if there is a link for that. */
export function renderJoinedPage({ row, team }: ValidInvitation, wearablesUrl: string | undefined): PlainPage {
  const { joined, wearables } = teamTextByLanguage[row.language].page;
  if (wearablesUrl === undefined) return renderMessagePage(row.language, successIcon, joined(team));
  const next = markup`<p class="actions"><a class="button primary" href="${wearablesUrl}">${wearables.action}</a></p>
<p class="footer">${wearables.deadline}</p>`;
  return renderMessagePage(row.language, successIcon, { ...joined(team), text: wearables.text }, next);
}

export const renderJoinProblemPage = (problem: JoinProblem, team: string | undefined, language: Language): PlainPage =>
  renderMessagePage(language, selectIcon(problem), teamTextByLanguage[language].page.problems[problem](team));

function renderMessagePage(lang: Language, icon: Markup, { heading, text }: JoinText, next?: Markup): PlainPage {
  return renderPlainPage({
    title: heading,
    lang,
    content: markup`${icon}<h1>${heading}</h1><p class="lead">${text}</p>${next}`,
  });
}

const selectIcon = (problem: JoinProblem): Markup =>
  problem === 'accepted' ? successIcon : problem === 'expired' || problem === 'team_closed' ? waitingIcon : errorIcon;
