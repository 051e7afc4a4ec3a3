// COROS' OAuth: a refresh extends the token there is, refusals come with 200, and whether an account is still bound is asked for.
import * as z from 'zod';
import { type CodeExchange, type Grant, GrantRefused, type GrantRules, type Holding } from '../kit/grant.ts';
import { bearer, codeFields, fieldIn, grantIn, standardGrant, tokenRequest } from '../kit/standard-grant.ts';
import { isOk, type Talk, Unexpected, type VendorReply } from '../kit/vendor.ts';
import { coros } from './descriptor.ts';
import { corosJson, corosReply, corosResults } from './reply.ts';

const dayMs = 86_400_000;
const lifeMs = 30 * dayMs;
/** Tokens are extended long before they run out. */
const earlyMs = 10 * dayMs;

const early = <Given extends Grant>(grant: Given, nowMs: number): Given => ({
  ...grant,
  expiresMs: (grant.expiresMs ?? nowMs + lifeMs) - earlyMs,
});

const shownInQuery = ({ grant, account }: Pick<Holding, 'grant' | 'account'>) => ({
  token: grant.accessToken,
  openId: account,
});

function* granted(asked: CodeExchange): Talk<{ grant: Grant; json: unknown }> {
  const fields = { ...codeFields(asked), redirect_uri: asked.redirectUri };
  const reply = yield tokenRequest(coros, coros.oauth.tokenUrl, fields, asked.credentials);
  const json = corosJson(reply.text);
  const grant = isOk(reply) ? grantIn(json, asked) : undefined;
  if (grant) return { grant, json };
  if (corosReply(reply.text)?.result !== undefined || (reply.status >= 400 && reply.status < 500))
    throw new GrantRefused('code_refused', 'COROS did not accept the confirmation. It may have run out.');
  throw new Unexpected('COROS token', reply);
}

function* exchange(asked: CodeExchange) {
  const { grant, json } = yield* granted(asked);
  const named = fieldIn(json, 'openId') ?? (yield* askedAccount(grant));
  if (named === undefined) throw new GrantRefused('code_refused', 'COROS did not say whose account was linked.');
  return { ...early(grant, asked.nowMs), account: named };
}

function* askedAccount(grant: Grant): Talk<string | undefined> {
  const reply = yield bearer({ method: 'GET', url: `${coros.apiUrl}/v2/user` }, { grant });
  return isOk(reply) ? fieldIn(corosJson(reply.text), 'openId') : undefined;
}

/** The tokens stay as they are, unless new ones come. */
function judge(reply: VendorReply, { nowMs, grant: before }: Holding) {
  const json = corosJson(reply.text);
  const given = isOk(reply) ? grantIn(json, { nowMs, before }) : undefined;
  if (given) return early(given, nowMs);
  const told = isOk(reply) ? corosReply(reply.text) : undefined;
  if (told?.isFine) return early({ ...before, expiresMs: nowMs + lifeMs }, nowMs);
  const isRefused = told?.result === corosResults.refreshRefused || told?.result === corosResults.tokenRefused;
  return isRefused ? 'dead' : 'unclear';
}

const BindState = z.looseObject({ bindState: z.coerce.number() });

function* confirmDead(held: Holding): Talk<boolean> {
  const reply = yield { method: 'GET', url: `${coros.apiUrl}/coros/bindState`, query: shownInQuery(held) };
  const told = isOk(reply) ? corosReply(reply.text) : undefined;
  return told?.isFine === true && BindState.safeParse(told.data).data?.bindState === 0;
}

/** A token or an account that is unknown to them has nothing left to take back. */
function* revoke({ grant }: Holding): Talk<void> {
  const query = { token: grant.accessToken };
  const reply = yield { method: 'POST', url: 'https://open.coros.com/oauth2/deauthorize', query };
  const told = corosReply(reply.text);
  const isOver = told?.result === corosResults.tokenRefused || told?.result === corosResults.unknownAccount;
  if (!told?.isFine && !isOver) throw new Unexpected('COROS revocation', reply);
}

export const corosGrant: GrantRules = {
  ...standardGrant(coros),
  exchange,
  refresh: { ask: (held) => refreshAsk(held), judge, accountIn: ({ text }) => fieldIn(corosJson(text), 'openId') },
  confirmDead,
  revoke,
  authorized: (request, held) => ({ ...request, query: { ...request.query, ...shownInQuery(held) } }),
  meaning({ text }) {
    const result = corosReply(text)?.result;
    if (result === corosResults.tokenRefused) return 'expired';
    return result === corosResults.later ? 'away' : undefined;
  },
};

const refreshAsk = ({ credentials, grant }: Holding) =>
  tokenRequest(
    coros,
    coros.oauth.refreshUrl ?? coros.oauth.tokenUrl,
    { grant_type: 'refresh_token', refresh_token: grant.refreshToken ?? '' },
    credentials,
  );
