// What people are told about how connecting went: what happened, what it means for them, and what to do next.
import type { ConnectProblem } from '../../../shared/connections/connect/complete-connection.ts';
import { connectMinutes } from '../../../shared/connections/connection.ts';

export interface OutcomeText {
  heading: string;
  /** What happened, complete without what follows. */
  why: string;
  next: string;
}

export const startAgainText = 'Go back to your app and start again there.';

/** `name` is the provider's, where it is known. */
export const outcomeTexts: Readonly<Record<ConnectProblem | 'connected', (name: string) => OutcomeText>> = {
  connected: (name) => ({
    heading: `${name} is connected`,
    why: 'Your recent days arrive first; older ones follow over the next hours.',
    next: 'You can close this page and go back to your app.',
  }),
  access_denied: (name) => ({
    heading: `${name} was not connected`,
    why: 'You chose not to give access, so nothing was shared.',
    next: 'If you change your mind, go back to your app and start again there.',
  }),
  scopes_missing: (name) => ({
    heading: 'Some permissions were left out',
    why: `${name} was not connected, because it needs all the permissions that were asked for. Nothing was shared.`,
    next: 'Go back to your app, start again, and leave every permission switched on.',
  }),
  link_expired: () => ({
    heading: 'This link has expired',
    why: `To keep your data safe, a link to connect works for ${connectMinutes} minutes. Nothing was shared.`,
    next: 'Go back to your app to get a new link.',
  }),
  link_used: (name) => ({
    heading: 'This link was used before',
    why: `A link to connect works once. If you have just connected ${name} with it, all is well.`,
    next: 'If not, go back to your app and start again there.',
  }),
  link_revoked: () => ({
    heading: 'This link no longer works',
    why: 'The makers of your app have withdrawn it. Nothing was shared.',
    next: 'Go back to your app to get a new link.',
  }),
  account_suspended: () => ({
    heading: 'Connecting is paused',
    why: 'Your app’s account with this service is suspended, so nothing can be connected right now. Nothing was shared.',
    next: 'Tell the makers of your app about it, and try again later.',
  }),
  other_browser: () => ({
    heading: 'Finish in the browser you began in',
    why: 'To keep your data safe, connecting has to begin and end in the same browser, and this one did not begin it or blocks cookies. Nothing was shared.',
    next: 'Go back to your app, open the link in this browser, allow cookies for this site, and stay in it until the end.',
  }),
  unknown_link: () => ({
    heading: 'This link does not work',
    why: 'It is not complete, or what it was made for is no longer there. Nothing was shared.',
    next: 'Go back to your app to get a new link.',
  }),
  wrong_provider: (name) => ({
    heading: `${name} was not connected`,
    why: `You began with ${name}, but the answer came from somewhere else. Nothing was shared.`,
    next: startAgainText,
  }),
  code_refused: (name) => ({
    heading: `${name} was not connected`,
    why: `${name} did not confirm the connection. This can happen when the page was open for a long time. Nothing was shared.`,
    next: startAgainText,
  }),
  provider_unavailable: (name) => ({
    heading: `${name} is not answering`,
    why: `${name} gave us no answer, so it was not connected. Nothing was shared.`,
    next: 'Wait a few minutes, then go back to your app and start again there.',
  }),
  not_configured: (name) => ({
    heading: `${name} cannot be connected right now`,
    why: `The connection between this service and ${name} is not working. It is nothing you did, and nothing was shared.`,
    next: 'Tell the makers of your app about it, and try again later.',
  }),
  consent_ended: (name) => ({
    heading: `${name} no longer gives access`,
    why: `The access to ${name} has ended. What it brought so far is kept.`,
    next: startAgainText,
  }),
  replaced: (name) => ({
    heading: `${name} was connected again`,
    why: 'A newer connection has taken its place.',
    next: 'You can close this page and go back to your app.',
  }),
};
