import { type Api, newApi } from '../../../shared/http/api.ts';
import type { PlainPage } from '../../../shared/http/page.ts';
import { zoneIn } from '../../../shared/http/zone-field.ts';
import { languageAccepted } from '../../../shared/platform/language.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { acceptInvitation, type OpenedInvitation, openInvitation } from '../../../shared/team/join.ts';
import { onHttp } from '../../runtime/on-http.ts';
import { type GoodInvitation, invitationPage, joinedPage, joinProblemPage, joinStatus } from './join-pages.ts';
import * as routes from './routes.ts';

export function joinApi(deps: Deps): Api {
  const api = newApi(deps);

  api.openapi(routes.showInvitation, async (c) => {
    const opened = await openInvitation(deps, linkIn(c.req.valid('param').token));
    const { html, headers } = pageOf(opened, invitationPage, c.req.header('accept-language'));
    return c.html(html, joinStatus(opened), headers);
  });

  api.openapi(routes.acceptInvitation, async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const outcome = await acceptInvitation(deps, linkIn(c.req.valid('param').token), zoneIn(form));
    const { html, headers } = pageOf(outcome, joinedPage, c.req.header('accept-language'));
    return c.html(html, joinStatus(outcome), headers);
  });

  return api;
}

/** Some programs and people end every address with a slash. */
const linkIn = (path: string): string => path.replace(/\/+$/, '');

/** In the language of the invitation; where there is none, in one that the browser asks for. */
const pageOf = (
  opened: OpenedInvitation,
  goodPage: (good: GoodInvitation) => PlainPage,
  accepted: string | undefined,
): PlainPage =>
  opened.problem === undefined
    ? goodPage(opened)
    : joinProblemPage(opened.problem, opened.team, opened.row?.language ?? languageAccepted(accepted));

export const handler = onHttp(joinApi);
