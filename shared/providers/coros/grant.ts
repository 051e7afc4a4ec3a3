// COROS' OAuth: a refresh extends the existing token, refusals arrive with status 200, and a
// separate request shows whether an account is still bound.
import * as z from 'zod';
import { type CodeExchange, type Grant, type GrantAdapter, type GrantContext, GrantRefused } from '../kit/grant.ts';
import { isOk, type ProviderResponse, type RequestFlow, UnexpectedResponse } from '../kit/request-flow.ts';
import {
  buildTokenRequest,
  codeExchangeFields,
  createStandardGrant,
  parseGrant,
  readField,
  withBearerToken,
} from '../kit/standard-grant.ts';
import { coros } from './descriptor.ts';
import { corosResultCodes, parseCorosJson, parseCorosResponse } from './response.ts';

const dayMs = 86_400_000;
const tokenLifetimeMs = 30 * dayMs;
/** Tokens are extended long before they expire. */
const refreshMarginMs = 10 * dayMs;

const withEarlyExpiry = <Given extends Grant>(grant: Given, nowMs: number): Given => ({
  ...grant,
  expiresMs: (grant.expiresMs ?? nowMs + tokenLifetimeMs) - refreshMarginMs,
});

const tokenQuery = ({ grant, account }: Pick<GrantContext, 'grant' | 'account'>) => ({
  token: grant.accessToken,
  openId: account,
});

function* requestGrant(requested: CodeExchange): RequestFlow<{ grant: Grant; json: unknown }> {
  const fields = { ...codeExchangeFields(requested), redirect_uri: requested.redirectUri };
  const response = yield buildTokenRequest(coros, coros.oauth.tokenUrl, fields, requested.credentials);
  const json = parseCorosJson(response.text);
  const grant = isOk(response) ? parseGrant(json, requested) : undefined;
  if (grant) return { grant, json };
  if (parseCorosResponse(response.text)?.result !== undefined || (response.status >= 400 && response.status < 500))
    throw new GrantRefused('code_refused', 'COROS did not accept the authorization. It may have expired.');
  throw new UnexpectedResponse('COROS token', response);
}

function* exchange(requested: CodeExchange) {
  const { grant, json } = yield* requestGrant(requested);
  const accountId = readField(json, 'openId') ?? (yield* fetchAccount(grant));
  if (accountId === undefined) throw new GrantRefused('code_refused', 'COROS did not report which account was linked.');
  return { ...withEarlyExpiry(grant, requested.nowMs), account: accountId };
}

function* fetchAccount(grant: Grant): RequestFlow<string | undefined> {
  const response = yield withBearerToken({ method: 'GET', url: `${coros.apiUrl}/v2/user` }, { grant });
  return isOk(response) ? readField(parseCorosJson(response.text), 'openId') : undefined;
}

/** The tokens stay the same unless the response contains new ones. */
function interpretRefresh(response: ProviderResponse, { nowMs, grant: before }: GrantContext) {
  const json = parseCorosJson(response.text);
  const newGrant = isOk(response) ? parseGrant(json, { nowMs, before }) : undefined;
  if (newGrant) return withEarlyExpiry(newGrant, nowMs);
  const body = isOk(response) ? parseCorosResponse(response.text) : undefined;
  if (body?.isSuccess) return withEarlyExpiry({ ...before, expiresMs: nowMs + tokenLifetimeMs }, nowMs);
  const isRefused = body?.result === corosResultCodes.refreshRefused || body?.result === corosResultCodes.tokenRefused;
  return isRefused ? 'dead' : 'unclear';
}

const BindState = z.looseObject({ bindState: z.coerce.number() });

function* confirmDead(context: GrantContext): RequestFlow<boolean> {
  const response = yield { method: 'GET', url: `${coros.apiUrl}/coros/bindState`, query: tokenQuery(context) };
  const body = isOk(response) ? parseCorosResponse(response.text) : undefined;
  return body?.isSuccess === true && BindState.safeParse(body.data).data?.bindState === 0;
}

/** A token or an account that COROS does not know is already revoked. */
function* revoke({ grant }: GrantContext): RequestFlow<void> {
  const query = { token: grant.accessToken };
  const response = yield { method: 'POST', url: 'https://open.coros.com/oauth2/deauthorize', query };
  const body = parseCorosResponse(response.text);
  const isAlreadyRevoked =
    body?.result === corosResultCodes.tokenRefused || body?.result === corosResultCodes.unknownAccount;
  if (!body?.isSuccess && !isAlreadyRevoked) throw new UnexpectedResponse('COROS revocation', response);
}

export const corosGrant: GrantAdapter = {
  ...createStandardGrant(coros),
  exchange,
  refresh: {
    buildRequest: (context) => buildRefreshRequest(context),
    interpret: interpretRefresh,
    readAccount: ({ text }) => readField(parseCorosJson(text), 'openId'),
  },
  confirmTokenInvalid: confirmDead,
  revoke,
  authorizeRequest: (request, context) => ({ ...request, query: { ...request.query, ...tokenQuery(context) } }),
  classifyResponse({ text }) {
    const result = parseCorosResponse(text)?.result;
    if (result === corosResultCodes.tokenRefused) return 'expired';
    return result === corosResultCodes.retryLater ? 'away' : undefined;
  },
};

const buildRefreshRequest = ({ credentials, grant }: GrantContext) =>
  buildTokenRequest(
    coros,
    coros.oauth.refreshUrl ?? coros.oauth.tokenUrl,
    { grant_type: 'refresh_token', refresh_token: grant.refreshToken ?? '' },
    credentials,
  );
