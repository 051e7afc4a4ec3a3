// Ultrahuman's consent. The token response does not contain the account, and the response that does
// is not documented.
import type { Grant, GrantAdapter } from '../kit/grant.ts';
import { isOk, parseResponseJson, UnexpectedResponse } from '../kit/request-flow.ts';
import {
  createStandardGrant,
  exchangeCode,
  interpretRefresh,
  readField,
  withBearerToken,
} from '../kit/standard-grant.ts';
import { ultrahuman } from './descriptor.ts';

const standardAdapter = createStandardGrant(ultrahuman);
const userInfoUrl = `${ultrahuman.apiUrl}/user_data/user_info`;
const accountFields = ['user_id', 'id', 'username', 'email'];

/** A refresh token may live for only a day. Refreshing sooner replaces it in time. */
const maxLifetimeMs = 20 * 3_600_000;
const withDailyRefresh = <Granted extends Grant>(grant: Granted, nowMs: number): Granted => ({
  ...grant,
  expiresMs: Math.min(grant.expiresMs ?? Number.POSITIVE_INFINITY, nowMs + maxLifetimeMs),
});

export const ultrahumanGrant: GrantAdapter = {
  ...standardAdapter,
  *exchange(requested) {
    const { grant } = yield* exchangeCode(ultrahuman, requested);
    const response = yield withBearerToken({ method: 'GET', url: userInfoUrl }, { grant });
    const isAllowed = response.status !== 403 && response.status !== 404;
    if (isAllowed && !isOk(response)) throw new UnexpectedResponse('Ultrahuman account', response);
    const json = isAllowed ? parseResponseJson(response) : undefined;
    const account = accountFields.map((name) => readField(json, name)).find((each) => each !== undefined);
    // Ultrahuman does not push, so the account never has to match an id in a push.
    return withDailyRefresh({ ...grant, account: account ?? requested.externalId }, requested.nowMs);
  },
  refresh: standardAdapter.refresh && {
    ...standardAdapter.refresh,
    interpret(response, context) {
      const verdict = interpretRefresh(response, context);
      return typeof verdict === 'string' ? verdict : withDailyRefresh(verdict, context.nowMs);
    },
  },
};
