import { hashIfSessionToken } from '../../../shared/console/admit-session.ts';
import { hashColleagueEmail } from '../../../shared/console/colleagues.ts';
import { describeDeployment, readConsoleProfile } from '../../../shared/console/console-profile.ts';
import { listConsoleSessions, revokeConsoleSession } from '../../../shared/console/console-sessions.ts';
import { findPasskeySupport } from '../../../shared/console/passkey-support.ts';
import * as passkeys from '../../../shared/console/passkeys.ts';
import { describeSignInLink, signInWithLink } from '../../../shared/console/sign-in-link.ts';
import { requestSignInLink } from '../../../shared/console/sign-in-requests.ts';
import { type Api, createApi } from '../../../shared/http/api.ts';
import { describeRequest } from '../../../shared/http/shorten-to-network.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { onHttp } from '../../runtime/on-http.ts';
import { assertOwnOrigin } from '../callers/own-origin.ts';
import { buildEndedCookie, buildSessionCookie, readSessionToken } from '../callers/session-cookie.ts';
import * as routes from './routes.ts';

export function signInApi(deps: Deps): Api {
  const api = createApi(deps);
  // The library is larger than the rest of the function, and most people sign in with a link.
  const loadVerifier = async () => (await import('./passkey-verifier.ts')).passkeyVerifier;

  /** The session that the browser still has, which a new one of the same colleague replaces. */
  const hashPreviousSession = (token: string | undefined): string | undefined =>
    token === undefined ? undefined : hashIfSessionToken(deps, token);

  api.openapi(routes.getSignInOptions, async (c) =>
    c.json({ passkeys: findPasskeySupport(deps.deployment, c.env.origin), ...describeDeployment(deps) }, 200),
  );

  api.openapi(routes.requestSignInLink, async (c) => {
    assertOwnOrigin(c.req);
    const { email } = c.req.valid('json');
    const { network } = describeRequest(c.env);
    const emailHash = hashColleagueEmail(deps, email);
    await requestSignInLink(deps, { emailHash, origin: c.env.origin, network });
    return c.body(null, 202);
  });

  api.openapi(routes.describeSignInLink, async (c) => {
    assertOwnOrigin(c.req);
    return c.json(await describeSignInLink(deps, c.req.valid('json').secret), 200);
  });

  api.openapi(routes.signInWithLink, async (c) => {
    assertOwnOrigin(c.req);
    const previousHash = hashPreviousSession(readSessionToken(c.req));
    const { token } = await signInWithLink(deps, c.req.valid('json').secret, {
      previousHash,
      request: describeRequest(c.env),
    });
    c.header('Set-Cookie', buildSessionCookie(token, c.env.origin));
    return c.body(null, 201);
  });

  api.openapi(routes.getMe, async (c) => c.json(await readConsoleProfile(deps, c.var.caller, c.env.origin), 200));

  api.openapi(routes.signOut, async (c) => {
    const { sessionId } = c.var.caller;
    c.set('actedOn', [sessionId]);
    await revokeConsoleSession(deps, c.var.caller, sessionId);
    c.header('Set-Cookie', buildEndedCookie(c.env.origin));
    return c.body(null, 204);
  });

  api.openapi(routes.listSessions, async (c) => c.json({ data: await listConsoleSessions(deps, c.var.caller) }, 200));

  api.openapi(routes.revokeSession, async (c) => {
    await revokeConsoleSession(deps, c.var.caller, c.req.valid('param').id);
    return c.body(null, 204);
  });

  api.openapi(routes.getPasskeySignInOptions, async (c) => {
    assertOwnOrigin(c.req);
    return c.json(await passkeys.createSignInOptions(deps, c.env.origin), 200);
  });

  api.openapi(routes.signInWithPasskey, async (c) => {
    assertOwnOrigin(c.req);
    const previousHash = hashPreviousSession(readSessionToken(c.req));
    const sent = { verifier: await loadVerifier(), previousHash, request: describeRequest(c.env) };
    const { token } = await passkeys.signInWithPasskey(deps, c.req.valid('json'), c.env.origin, sent);
    c.header('Set-Cookie', buildSessionCookie(token, c.env.origin));
    return c.body(null, 201);
  });

  api.openapi(routes.listPasskeys, async (c) =>
    c.json({ data: await passkeys.listPasskeys(deps, c.var.caller, c.env.origin) }, 200),
  );

  api.openapi(routes.getPasskeyOptions, async (c) =>
    c.json(await passkeys.createPasskeyOptions(deps, c.var.caller, c.env.origin), 200),
  );

  api.openapi(routes.registerPasskey, async (c) => {
    const { caller } = c.var;
    const input = c.req.valid('json');
    const passkey = await passkeys.registerPasskey(deps, caller, input, c.env.origin, await loadVerifier());
    c.set('actedOn', [passkey.id]);
    return c.json(passkey, 201);
  });

  api.openapi(routes.removePasskey, async (c) => {
    await passkeys.removePasskey(deps, c.var.caller, c.req.valid('param').id);
    return c.body(null, 204);
  });

  return api;
}

export const handler = onHttp(signInApi);
