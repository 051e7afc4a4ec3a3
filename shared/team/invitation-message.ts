// The invitation e-mail: the same text in plain text and as an HTML document that loads nothing.

import type { Language } from '../platform/language.ts';
import { type Markup, markup } from '../platform/markup.ts';
import { sanitizeNameForMail } from '../platform/name-in-mail.ts';
import type { MailMessage } from '../platform/ports.ts';
import { formatJoinDeadline, teamTextByLanguage } from './team-text-by-language.ts';

export interface InvitationMessageParts {
  to: string;
  name: string | null;
  team: string;
  joinUrl: string;
  expiresMs: number;
  language: Language;
}

export function invitationMessage({
  to,
  name,
  team,
  joinUrl,
  expiresMs,
  language,
}: InvitationMessageParts): MailMessage {
  const teamText = teamTextByLanguage[language];
  const recipient = name === null ? undefined : sanitizeNameForMail(name) || undefined;
  const teamName = sanitizeNameForMail(team) || 'Daybook';
  const subject = teamText.mail.subject(teamName);
  const before = [
    teamText.mail.greeting(recipient),
    teamText.mail.lead(teamName),
    teamText.meaning(teamName),
    teamText.leaving,
  ];
  const after = [`${formatJoinDeadline(teamText, expiresMs)} ${teamText.mail.goodOnce}`, teamText.mail.ignore];
  return {
    to,
    subject,
    text: [...before, `${teamText.mail.linkHere}\n${joinUrl}`, ...after].join('\n\n'),
    html: markup`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
</head>
<body style="margin:0;padding:24px;font:16px/1.6 sans-serif;overflow-wrap:anywhere">
<main style="max-width:36em;margin:0 auto">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.4">${subject}</h1>
${before.map(paragraph)}<p><a href="${joinUrl}" style="display:inline-block;padding:10px 18px;border-radius:8px;background:#1d5c4d;color:#ffffff;text-decoration:none">${teamText.action}</a></p>
<p>${teamText.mail.linkBelow}<br><span style="overflow-wrap:anywhere">${joinUrl}</span></p>
${after.map(paragraph)}</main>
</body>
</html>
`.html,
  };
}

const paragraph = (text: string): Markup => markup`<p>${text}</p>
`;
