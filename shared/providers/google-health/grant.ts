// Consent at Google: people untick what they like, and an account may have no health profile.
import { GrantRefused, type GrantRules } from '../kit/grant.ts';
import { bearer, exchangeCode, fieldIn, standardGrant } from '../kit/standard-grant.ts';
import { isOk, jsonIn, Unexpected } from '../kit/vendor.ts';
import { isNotLinked, isScopeMissing } from './api-error.ts';
import { googleHealth } from './descriptor.ts';

const identityUrl = `${googleHealth.apiUrl}/users/me/identity`;
const isOfHealth = (scope: string): boolean =>
  /\/googlehealth\.(activity_and_fitness|health_metrics_and_measurements|sleep|nutrition)\.readonly$/.test(scope);

const nothingTicked = (): GrantRefused =>
  new GrantRefused(
    'scopes_missing',
    'Nothing was ticked that could be read. Connect again and tick activity, health metrics or sleep.',
  );

export const googleHealthGrant: GrantRules = {
  ...standardGrant(googleHealth),
  *exchange(asked) {
    const { grant } = yield* exchangeCode(googleHealth, asked);
    if (grant.scopes !== null && !grant.scopes.some(isOfHealth)) throw nothingTicked();
    const reply = yield bearer({ method: 'GET', url: identityUrl }, { grant });
    if (isScopeMissing(reply)) throw nothingTicked();
    if (isNotLinked(reply))
      throw new GrantRefused(
        'code_refused',
        'This Google account has no Google Health profile. Set it up in the app, then connect again.',
      );
    if (!isOk(reply)) throw new Unexpected('Google Health account', reply);
    const account = fieldIn(jsonIn(reply), 'healthUserId');
    if (account === undefined)
      throw new GrantRefused('code_refused', 'Google Health did not say whose account was linked.');
    return { ...grant, account };
  },
};
