import { type Api, createApi } from '../../../shared/http/api.ts';
import { openCursor, sealCursor } from '../../../shared/http/cursor.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { getInvitation, listInvitations, revokeInvitation } from '../../../shared/team/invitations.ts';
import { inviteMember, resendInvitation } from '../../../shared/team/invite-member.ts';
import * as members from '../../../shared/team/members.ts';
import { onHttp } from '../../runtime/on-http.ts';
import * as routes from './routes.ts';

export function teamApi(deps: Deps): Api {
  const api = createApi(deps);

  api.openapi(routes.inviteMember, async (c) => {
    const invitation = await inviteMember(deps, c.var.caller, c.req.valid('json'), c.env.origin);
    c.set('actedOn', [invitation.id]);
    return c.json(invitation, 201);
  });

  api.openapi(routes.listInvitations, async (c) => {
    const { caller } = c.var;
    const { limit, status, email_status, cursor } = c.req.valid('query');
    const scope = { caller, route: routes.listInvitations.route.operationId, query: { limit, status, email_status } };
    const afterId = openCursor(deps.keyring, scope, cursor);
    const page = await listInvitations(deps, caller, { limit, status, emailStatus: email_status, afterId });
    const next_cursor = page.nextAfterId === undefined ? null : sealCursor(deps.keyring, scope, page.nextAfterId);
    return c.json({ data: page.invitations, next_cursor }, 200);
  });

  api.openapi(routes.getInvitation, async (c) =>
    c.json(await getInvitation(deps, c.var.caller, c.req.valid('param').id), 200),
  );

  api.openapi(routes.resendInvitation, async (c) =>
    c.json(await resendInvitation(deps, c.var.caller, c.req.valid('param').id, c.env.origin), 200),
  );

  api.openapi(routes.revokeInvitation, async (c) => {
    await revokeInvitation(deps, c.var.caller, c.req.valid('param').id);
    return c.body(null, 204);
  });

  api.openapi(routes.listMembers, async (c) => {
    const { caller } = c.var;
    const { limit, status, cursor } = c.req.valid('query');
    const scope = { caller, route: routes.listMembers.route.operationId, query: { limit, status } };
    const afterId = openCursor(deps.keyring, scope, cursor);
    const page = await members.listMembers(deps, caller, { limit, status, afterId });
    const next_cursor = page.nextAfterId === undefined ? null : sealCursor(deps.keyring, scope, page.nextAfterId);
    return c.json({ data: page.members, next_cursor }, 200);
  });

  api.openapi(routes.getMember, async (c) =>
    c.json(await members.getMember(deps, c.var.caller, c.req.valid('param').id), 200),
  );

  api.openapi(routes.updateMember, async (c) => {
    const { status } = c.req.valid('json');
    return c.json(await members.setMemberStatus(deps, c.var.caller, c.req.valid('param').id, status), 200);
  });

  api.openapi(routes.removeMember, async (c) => {
    await members.removeMember(deps, c.var.caller, c.req.valid('param').id);
    return c.body(null, 204);
  });

  return api;
}

export const handler = onHttp(teamApi);
