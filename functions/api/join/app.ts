import { type Api, createApi } from '../../../shared/http/api.ts';
import type { PlainPage } from '../../../shared/http/page.ts';
import { readTimeZone } from '../../../shared/http/time-zone-field.ts';
import { negotiateLanguage } from '../../../shared/platform/language.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { acceptInvitation, type OpenedInvitation, openInvitation } from '../../../shared/team/accept-invitation.ts';
import { createLinkAfterJoining } from '../../../shared/team/link-after-joining.ts';
import { onHttp } from '../../runtime/on-http.ts';
import {
  renderInvitationPage,
  renderJoinedPage,
  renderJoinProblemPage,
  toJoinStatus,
  type ValidInvitation,
} from './join-pages.ts';
import * as routes from './routes.ts';

export function joinApi(deps: Deps): Api {
  const api = createApi(deps);

  api.openapi(routes.showInvitation, async (c) => {
    const opened = await openInvitation(deps, trimTrailingSlashes(c.req.valid('param').token));
    const { html, headers } = renderJoinPage(opened, renderInvitationPage, c.req.header('accept-language'));
    return c.html(html, toJoinStatus(opened), headers);
  });

  api.openapi(routes.acceptInvitation, async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const outcome = await acceptInvitation(deps, trimTrailingSlashes(c.req.valid('param').token), readTimeZone(form));
    const wearablesUrl = outcome.member && (await createLinkAfterJoining(deps, outcome.member, c.env.origin));
    const renderJoined = (invitation: ValidInvitation) => renderJoinedPage(invitation, wearablesUrl);
    const { html, headers } = renderJoinPage(outcome, renderJoined, c.req.header('accept-language'));
    return c.html(html, toJoinStatus(outcome), headers);
  });

  return api;
}

/** Some programs and users add a slash to the end of a URL. */
const trimTrailingSlashes = (path: string): string => path.replace(/\/+$/, '');

/** Uses the language of the invitation or, without one, a language that the browser accepts. */
const renderJoinPage = (
  opened: OpenedInvitation,
  renderValid: (invitation: ValidInvitation) => PlainPage,
  acceptLanguage: string | undefined,
): PlainPage =>
  opened.problem === undefined
    ? renderValid(opened)
    : renderJoinProblemPage(opened.problem, opened.team, opened.row?.language ?? negotiateLanguage(acceptLanguage));

export const handler = onHttp(joinApi);
