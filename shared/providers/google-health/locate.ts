// Which days a session is on that was only announced by its name.
import type { FetchRules } from '../kit/adapter.ts';
import { dayOf } from '../kit/day-of.ts';
import { isOk, jsonIn, Unexpected } from '../kit/vendor.ts';
import { isScopeMissing } from './api-error.ts';
import { googleSession } from './sessions.ts';
import { pointUrl } from './urls.ts';

export const locateSession: NonNullable<FetchRules['locate']> = function* ({ resource, id }, { zone }) {
  const reply = yield { method: 'GET', url: pointUrl(resource, id) };
  if (reply.status === 404 || isScopeMissing(reply)) return undefined;
  if (!isOk(reply)) throw new Unexpected(`Google Health ${resource}`, reply);
  const session = googleSession(resource, jsonIn(reply));
  if (!session) return undefined;
  return { from: dayOf(session.startMs, zone), to: dayOf(session.endMs, zone) };
};
