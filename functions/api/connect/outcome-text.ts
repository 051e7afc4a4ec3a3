// Texts that tell the user how connecting went: what happened, what it means and what to do next.
import type { ConnectProblem } from '../../../shared/connections/connect/complete-connection.ts';
import { connectMinutes } from '../../../shared/connections/connection.ts';

export interface OutcomeText {
  heading: string;
  /** What happened. It must make sense without `next`. */
  why: string;
  next: string;
}

export const startAgainText = 'Go back to your app and start again there.';

/** `name` is the provider's name, or a generic one when the provider is unknown. */
export const outcomeTexts: Readonly<Record<ConnectProblem | 'connected', (name: string) => OutcomeText>> = {
  connected: (name) => ({
    heading: `${name} is connected`,
    why: 'Your recent days arrive first; older ones follow over the next few hours.',
    next: 'You can close this page and go back to your app.',
  }),
  access_denied: (name) => ({
    heading: `${name} was not connected`,
    why: 'You chose not to give access, so nothing was shared.',
    next: 'If you change your mind, go back to your app and start again there.',
  }),
  scopes_missing: (name) => ({
    heading: 'Some permissions were not granted',
    why: `${name} was not connected because it needs all the requested permissions. Nothing was shared.`,
    next: 'Go back to your app, start again, and leave every permission switched on.',
  }),
  link_expired: () => ({
    heading: 'This link has expired',
    why: `To keep your data safe, this link works for ${connectMinutes} minutes. Nothing was shared.`,
    next: 'Go back to your app to get a new link.',
  }),
  link_used: (name) => ({
    heading: 'This link has already been used',
    why: `This link works only once. If you have just connected ${name} with it, there is nothing left to do.`,
    next: 'If not, go back to your app and start again there.',
  }),
  link_revoked: () => ({
    heading: 'This link no longer works',
    why: 'The team behind your app has revoked it. Nothing was shared.',
    next: 'Go back to your app to get a new link.',
  }),
  account_suspended: () => ({
    heading: 'Connecting is paused',
    why: 'Your app’s account with this service is suspended, so nothing can be connected right now. Nothing was shared.',
    next: 'Let the team behind your app know, and try again later.',
  }),
  other_browser: () => ({
    heading: 'Finish in the browser you started in',
    why: 'To keep your data safe, connecting has to start and finish in the same browser. This browser did not start it, or it blocks cookies. Nothing was shared.',
    next: 'Go back to your app, open the link in this browser, allow cookies for this site, and stay in this browser until you are done.',
  }),
  unknown_link: () => ({
    heading: 'This link does not work',
    why: 'It is incomplete, or what it was created for no longer exists. Nothing was shared.',
    next: 'Go back to your app to get a new link.',
  }),
  wrong_provider: (name) => ({
    heading: `${name} was not connected`,
    why: `You started with ${name}, but the response came from a different provider. Nothing was shared.`,
    next: startAgainText,
  }),
  code_refused: (name) => ({
    heading: `${name} was not connected`,
    why: `${name} did not confirm the connection. This can happen when the page was open for a long time. Nothing was shared.`,
    next: startAgainText,
  }),
  provider_unavailable: (name) => ({
    heading: `${name} is not responding`,
    why: `${name} did not respond, so it was not connected. Nothing was shared.`,
    next: 'Wait a few minutes, then go back to your app and start again there.',
  }),
  not_configured: (name) => ({
    heading: `${name} cannot be connected right now`,
    why: `The connection between this service and ${name} is not working. You did nothing wrong, and nothing was shared.`,
    next: 'Let the team behind your app know, and try again later.',
  }),
  consent_ended: (name) => ({
    heading: `${name} no longer grants access`,
    why: `Access to ${name} has ended. The data received so far is not deleted.`,
    next: startAgainText,
  }),
  replaced: (name) => ({
    heading: `${name} was connected again`,
    why: 'A newer connection has replaced this one.',
    next: 'You can close this page and go back to your app.',
  }),
};
