// What the local host answers itself, before any function runs.
import type { Site } from './gateway.ts';
import { type IssueSignInLink, respondToLocalSignIn } from './local-sign-in.ts';
import { type MailReader, respondFromMailbox } from './mailbox-page.ts';

export const createHostResponder =
  (mailbox: MailReader, issueSignInLink: IssueSignInLink | undefined): NonNullable<Site['respondFromHost']> =>
  (request) =>
    respondFromMailbox(mailbox, request) ?? (issueSignInLink && respondToLocalSignIn(issueSignInLink, request));
