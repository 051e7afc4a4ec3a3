// The e-mail with a sign-in link: the same text in plain text and as an HTML document that loads
// nothing.
import { type Markup, markup } from '../platform/markup.ts';
import { sanitizeNameForMail } from '../platform/name-in-mail.ts';
import type { MailMessage } from '../platform/ports.ts';
import { signInLinkMinutes } from './sign-in-link.ts';

export interface OfferedLink {
  url: string;
  /** The name of the account. */
  team: string;
}

export interface SignInMessageParts {
  to: string;
  /** One for each account that the address belongs to. */
  links: readonly OfferedLink[];
  origin: string;
  isInvitation: boolean;
  /** How many more accounts the address belongs to. */
  omittedCount: number;
}

export function signInMessage({ to, links, origin, isInvitation, omittedCount }: SignInMessageParts): MailMessage {
  const named = links.map(({ url, team }) => ({ url, team: sanitizeNameForMail(team) || 'Daybook' }));
  const teams = named.map(({ team }) => team).join(', ');
  const subject = isInvitation ? `You can now use the Daybook console of ${teams}` : `Sign in to Daybook: ${teams}`;
  const lead = isInvitation
    ? `You were invited to the Daybook console of ${teams}.`
    : 'Someone entered this address on the sign-in page of the Daybook console.';
  const after = [
    ...(omittedCount === 0
      ? []
      : [
          `These are the ${links.length} accounts that you used last. For ${omittedCount === 1 ? 'one more' : `${omittedCount} more`}, ask an owner of the account for a link.`,
        ]),
    `The link works once, for ${signInLinkMinutes} minutes, and opens a page with a button. If it is too old, enter your address at ${origin}/console.`,
    'If you did not expect this message, ignore it. Nobody can sign in without the link.',
  ];
  return {
    to,
    subject,
    text: [lead, ...named.map(({ url, team }) => `Sign in to ${team}:\n${url}`), ...after].join('\n\n'),
    html: markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
</head>
<body style="margin:0;padding:24px;font:16px/1.6 sans-serif;overflow-wrap:anywhere">
<main style="max-width:36em;margin:0 auto">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.4">${subject}</h1>
<p>${lead}</p>
${named.map(button)}${after.map(paragraph)}</main>
</body>
</html>
`.html,
  };
}

const paragraph = (text: string): Markup => markup`<p>${text}</p>
`;

const button = ({ url, team }: OfferedLink): Markup =>
  markup`<p><a href="${url}" style="display:inline-block;padding:10px 18px;border-radius:8px;background:#1d5c4d;color:#ffffff;text-decoration:none">Sign in to ${team}</a></p>
<p><span style="overflow-wrap:anywhere">${url}</span></p>
`;
