// Garmin's OAuth: as the standard has it, but what it calls scope belongs to the app, and a token is renewed well before it runs out.
import type { Grant, GrantRules } from '../kit/grant.ts';
import { judgeRefresh, standardGrant } from '../kit/standard-grant.ts';
import { garmin } from './descriptor.ts';

const earlyMs = 600_000;

const own = <Given extends Grant>(grant: Given): Given => ({
  ...grant,
  expiresMs: grant.expiresMs === null ? null : grant.expiresMs - earlyMs,
  scopes: null,
});

const standard = standardGrant(garmin);

export const garminGrant: GrantRules = {
  ...standard,
  *exchange(asked) {
    return own(yield* standard.exchange(asked));
  },
  refresh: standard.refresh && {
    ...standard.refresh,
    judge(reply, held) {
      const verdict = judgeRefresh(reply, held);
      return typeof verdict === 'string' ? verdict : own(verdict);
    },
  },
};
