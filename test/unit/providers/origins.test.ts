import { expect, test } from 'vitest';
import { providerOrigins } from '../../../shared/providers/origins.ts';

test('the provider origins are those of data, token, account and revocation calls, over TLS', () => {
  const origins = providerOrigins();
  expect(origins.filter((origin) => !origin.startsWith('https://'))).toEqual([]);
  expect(new Set(origins).size).toBe(origins.length);
  expect(origins).toEqual(
    expect.arrayContaining([
      'https://api.ouraring.com',
      'https://apis.garmin.com',
      'https://diauth.garmin.com',
      'https://polarremote.com',
      'https://wbsapi.withings.net',
      'https://oauth2.googleapis.com',
    ]),
  );
  // Only the user's browser opens this URL.
  expect(origins).not.toContain('https://cloud.ouraring.com');
});
