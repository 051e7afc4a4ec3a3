// The authorization and token URLs of each provider, written by hand: the sandbox uses the URLs of
// the descriptor and would not notice a mistake.
import { expect, test } from 'vitest';
import { type CloudProviderId, cloudProviderIds } from '../../../shared/catalog/provider.ts';
import { providerDescriptors } from '../../../shared/providers/catalog.ts';

const addresses: Readonly<Record<CloudProviderId, readonly string[]>> = {
  oura: ['https://cloud.ouraring.com/oauth/authorize', 'https://api.ouraring.com/oauth/token'],
  whoop: ['https://api.prod.whoop.com/oauth/oauth2/auth', 'https://api.prod.whoop.com/oauth/oauth2/token'],
  garmin: ['https://connect.garmin.com/oauth2Confirm', 'https://diauth.garmin.com/di-oauth2-service/oauth/token'],
  polar: ['https://flow.polar.com/oauth2/authorization', 'https://polarremote.com/v2/oauth2/token'],
  suunto: ['https://cloudapi-oauth.suunto.com/oauth/authorize', 'https://cloudapi-oauth.suunto.com/oauth/token'],
  strava: ['https://www.strava.com/oauth/authorize', 'https://www.strava.com/oauth/token'],
  withings: ['https://account.withings.com/oauth2_user/authorize2', 'https://wbsapi.withings.net/v2/oauth2'],
  google_health: ['https://accounts.google.com/o/oauth2/v2/auth', 'https://oauth2.googleapis.com/token'],
  ultrahuman: ['https://auth.ultrahuman.com/authorise', 'https://partner.ultrahuman.com/api/partners/oauth/token'],
  coros: [
    'https://open.coros.com/oauth2/authorize',
    'https://open.coros.com/oauth2/accesstoken',
    'https://open.coros.com/oauth2/refresh-token',
  ],
};

test.each(cloudProviderIds)('%s uses its own URLs', (provider) => {
  const { authorizeUrl, tokenUrl, refreshUrl } = providerDescriptors[provider].oauth;
  expect([authorizeUrl, tokenUrl, ...(refreshUrl === undefined ? [] : [refreshUrl])]).toEqual(addresses[provider]);
});
