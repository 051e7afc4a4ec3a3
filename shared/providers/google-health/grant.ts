// Consent at Google: users may untick scopes, and an account may have no health profile.
import { type GrantAdapter, GrantRefused } from '../kit/grant.ts';
import { isOk, parseResponseJson, UnexpectedResponse } from '../kit/request-flow.ts';
import { createStandardGrant, exchangeCode, readField, withBearerToken } from '../kit/standard-grant.ts';
import { isNotLinked, isScopeMissing } from './api-error.ts';
import { googleHealth } from './descriptor.ts';

const identityUrl = `${googleHealth.apiUrl}/users/me/identity`;
const isHealthScope = (scope: string): boolean =>
  /\/googlehealth\.(activity_and_fitness|health_metrics_and_measurements|sleep|nutrition)\.readonly$/.test(scope);

const noScopesGranted = (): GrantRefused =>
  new GrantRefused(
    'scopes_missing',
    'You did not select any data that can be read. Connect again and tick activity, health metrics or sleep.',
  );

export const googleHealthGrant: GrantAdapter = {
  ...createStandardGrant(googleHealth),
  *exchange(requested) {
    const { grant } = yield* exchangeCode(googleHealth, requested);
    if (grant.scopes !== null && !grant.scopes.some(isHealthScope)) throw noScopesGranted();
    const response = yield withBearerToken({ method: 'GET', url: identityUrl }, { grant });
    if (isScopeMissing(response)) throw noScopesGranted();
    if (isNotLinked(response))
      throw new GrantRefused(
        'code_refused',
        'This Google account has no Google Health profile. Set it up in the app, then connect again.',
      );
    if (!isOk(response)) throw new UnexpectedResponse('Google Health account', response);
    const account = readField(parseResponseJson(response), 'healthUserId');
    if (account === undefined)
      throw new GrantRefused('code_refused', 'Google Health did not report which account was linked.');
    return { ...grant, account };
  },
};
