// Strava's consent: what was unticked is told at the callback, whose account it is with the tokens, and what is wrong in a list of errors of its own.
import * as z from 'zod';
import {
  type CodeExchange,
  type Grant,
  GrantRefused,
  type GrantRules,
  type Holding,
  type RefreshVerdict,
} from '../kit/grant.ts';
import { bearer, codeFields, grantIn, standardGrant, tokenRequest } from '../kit/standard-grant.ts';
import { isOk, type Talk, Unexpected, type VendorReply } from '../kit/vendor.ts';
import { strava } from './descriptor.ts';
import { exactJson, StravaId } from './exact-json.ts';

const Faults = z.looseObject({
  errors: z.array(z.looseObject({ resource: z.string().nullish(), field: z.string().nullish() })),
});
const faultsIn = (reply: VendorReply) => Faults.safeParse(exactJson(reply.text)).data?.errors ?? [];

/** The token is good, but not for this. */
export const lacksPermission = (reply: VendorReply): boolean =>
  reply.status === 403 ||
  (reply.status === 401 && faultsIn(reply).some(({ field }) => field?.endsWith('_permission') ?? false));

const ExpiresAt = z.looseObject({ expires_at: z.number() });
/** Of the year 9999: the number may be anything. */
const lastSecond = 253_402_300_799;
const Athlete = z.looseObject({ id: StravaId });
const TokenReply = z.looseObject({ athlete: Athlete });

/** A token that is still good for long is given once more, with what is left of its time. */
function stravaGrantIn(json: unknown, context: { nowMs: number; before?: Grant }): Grant | undefined {
  const grant = grantIn(json, context);
  if (!grant || grant.expiresMs !== null) return grant;
  const expiresAt = ExpiresAt.safeParse(json).data?.expires_at;
  return expiresAt === undefined ? grant : { ...grant, expiresMs: Math.min(Math.max(expiresAt, 0), lastSecond) * 1000 };
}

function judge(reply: VendorReply, { nowMs, grant: before }: Holding): RefreshVerdict {
  if (isOk(reply)) return stravaGrantIn(exactJson(reply.text), { nowMs, before }) ?? 'unclear';
  const resources = new Set(faultsIn(reply).map(({ resource }) => resource));
  if (resources.has('Application')) return 'ours';
  return reply.status === 400 && resources.has('RefreshToken') ? 'dead' : 'unclear';
}

function* exchange(asked: CodeExchange): Talk<Grant & { account: string }> {
  const allowed = asked.query['scope']?.split(/[\s,]+/).filter((each) => each !== '');
  if (allowed && !allowed.some((scope) => scope === 'activity:read' || scope === 'activity:read_all'))
    throw new GrantRefused(
      'scopes_missing',
      'Strava needs your permission to read activities. Connect again and leave it ticked.',
    );
  const reply = yield tokenRequest(strava, strava.oauth.tokenUrl, codeFields(asked), asked.credentials);
  const json = exactJson(reply.text);
  const grant = isOk(reply) ? stravaGrantIn(json, asked) : undefined;
  if (!grant) throw refusal(reply);
  return { ...grant, scopes: allowed ?? grant.scopes, account: athleteIn(json) ?? (yield* askedAccount(grant)) };
}

const athleteIn = (json: unknown): string | undefined => TokenReply.safeParse(json).data?.athlete.id;

function refusal(reply: VendorReply): Error {
  if (faultsIn(reply).some(({ resource }) => resource === 'Application'))
    return new GrantRefused('not_configured', "Strava does not accept this service's credentials.");
  if (reply.status >= 400 && reply.status < 500)
    return new GrantRefused('code_refused', 'Strava did not accept the confirmation. It may have run out.');
  return new Unexpected('Strava token', reply);
}

function* askedAccount(grant: Grant): Talk<string> {
  const reply = yield bearer({ method: 'GET', url: `${strava.apiUrl}/athlete` }, { grant });
  const athlete = isOk(reply) ? Athlete.safeParse(exactJson(reply.text)).data : undefined;
  if (!athlete) throw new Unexpected('Strava account', reply);
  return athlete.id;
}

const standard = standardGrant(strava);

export const stravaGrant: GrantRules = {
  ...standard,
  exchange,
  refresh: standard.refresh && {
    ask: standard.refresh.ask,
    judge,
    accountIn: ({ text }) => athleteIn(exactJson(text)),
  },
};
