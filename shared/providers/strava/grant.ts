// Strava's consent: the callback reports which scopes were unticked, the token response reports the
// account, and errors come in Strava's own format.
import * as z from 'zod';
import {
  type CodeExchange,
  type Grant,
  type GrantAdapter,
  type GrantContext,
  GrantRefused,
  type RefreshOutcome,
} from '../kit/grant.ts';
import { isOk, type ProviderResponse, type RequestFlow, UnexpectedResponse } from '../kit/request-flow.ts';
import {
  buildTokenRequest,
  codeExchangeFields,
  createStandardGrant,
  parseGrant,
  withBearerToken,
} from '../kit/standard-grant.ts';
import { strava } from './descriptor.ts';
import { parseExactJson, StravaId } from './exact-json.ts';

const ErrorBody = z.looseObject({
  errors: z.array(z.looseObject({ resource: z.string().nullish(), field: z.string().nullish() })),
});
const readErrors = (response: ProviderResponse) =>
  ErrorBody.safeParse(parseExactJson(response.text)).data?.errors ?? [];

/** The token is valid, but lacks this permission. */
export const lacksPermission = (response: ProviderResponse): boolean =>
  response.status === 403 ||
  (response.status === 401 && readErrors(response).some(({ field }) => field?.endsWith('_permission') ?? false));

const ExpiresAt = z.looseObject({ expires_at: z.number() });
/** In the year 9999. Strava may send any number. */
const maxExpirySeconds = 253_402_300_799;
const Athlete = z.looseObject({ id: StravaId });
const TokenResponse = z.looseObject({ athlete: Athlete });

/** Strava returns a token that is still valid for long again, with its remaining lifetime. */
function parseStravaGrant(json: unknown, context: { nowMs: number; before?: Grant }): Grant | undefined {
  const grant = parseGrant(json, context);
  if (!grant || grant.expiresMs !== null) return grant;
  const expiresAt = ExpiresAt.safeParse(json).data?.expires_at;
  return expiresAt === undefined
    ? grant
    : { ...grant, expiresMs: Math.min(Math.max(expiresAt, 0), maxExpirySeconds) * 1000 };
}

function interpretRefresh(response: ProviderResponse, { nowMs, grant: before }: GrantContext): RefreshOutcome {
  if (isOk(response)) return parseStravaGrant(parseExactJson(response.text), { nowMs, before }) ?? 'unclear';
  const resources = new Set(readErrors(response).map(({ resource }) => resource));
  if (resources.has('Application')) return 'ours';
  return response.status === 400 && resources.has('RefreshToken') ? 'dead' : 'unclear';
}

function* exchange(requested: CodeExchange): RequestFlow<Grant & { account: string }> {
  const grantedScopes = requested.query['scope']?.split(/[\s,]+/).filter((each) => each !== '');
  if (grantedScopes && !grantedScopes.some((scope) => scope === 'activity:read' || scope === 'activity:read_all'))
    throw new GrantRefused(
      'scopes_missing',
      'Strava needs your permission to read activities. Connect again and leave it ticked.',
    );
  const response = yield buildTokenRequest(
    strava,
    strava.oauth.tokenUrl,
    codeExchangeFields(requested),
    requested.credentials,
  );
  const json = parseExactJson(response.text);
  const grant = isOk(response) ? parseStravaGrant(json, requested) : undefined;
  if (!grant) throw toGrantError(response);
  return {
    ...grant,
    scopes: grantedScopes ?? grant.scopes,
    account: readAthleteId(json) ?? (yield* fetchAccount(grant)),
  };
}

const readAthleteId = (json: unknown): string | undefined => TokenResponse.safeParse(json).data?.athlete.id;

function toGrantError(response: ProviderResponse): Error {
  if (readErrors(response).some(({ resource }) => resource === 'Application'))
    return new GrantRefused('not_configured', "Strava does not accept this service's credentials.");
  if (response.status >= 400 && response.status < 500)
    return new GrantRefused('code_refused', 'Strava did not accept the authorization. It may have expired.');
  return new UnexpectedResponse('Strava token', response);
}

function* fetchAccount(grant: Grant): RequestFlow<string> {
  const response = yield withBearerToken({ method: 'GET', url: `${strava.apiUrl}/athlete` }, { grant });
  const athlete = isOk(response) ? Athlete.safeParse(parseExactJson(response.text)).data : undefined;
  if (!athlete) throw new UnexpectedResponse('Strava account', response);
  return athlete.id;
}

const standardAdapter = createStandardGrant(strava);

export const stravaGrant: GrantAdapter = {
  ...standardAdapter,
  exchange,
  refresh: standardAdapter.refresh && {
    buildRequest: standardAdapter.refresh.buildRequest,
    interpret: interpretRefresh,
    readAccount: ({ text }) => readAthleteId(parseExactJson(text)),
  },
};
