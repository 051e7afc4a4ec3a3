// Garmin's OAuth is standard, except that its scopes belong to the app and a token is renewed 10
// minutes before it expires.
import type { Grant, GrantAdapter } from '../kit/grant.ts';
import { createStandardGrant, interpretRefresh } from '../kit/standard-grant.ts';
import { garmin } from './descriptor.ts';

const refreshMarginMs = 600_000;

const adjustGrant = <Given extends Grant>(grant: Given): Given => ({
  ...grant,
  expiresMs: grant.expiresMs === null ? null : grant.expiresMs - refreshMarginMs,
  scopes: null,
});

const standardAdapter = createStandardGrant(garmin);

export const garminGrant: GrantAdapter = {
  ...standardAdapter,
  *exchange(requested) {
    return adjustGrant(yield* standardAdapter.exchange(requested));
  },
  refresh: standardAdapter.refresh && {
    ...standardAdapter.refresh,
    interpret(response, context) {
      const verdict = interpretRefresh(response, context);
      return typeof verdict === 'string' ? verdict : adjustGrant(verdict);
    },
  },
};
