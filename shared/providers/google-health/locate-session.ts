// Finds the days of a session that was announced only by its id.
import type { FetchAdapter } from '../kit/adapter.ts';
import { localDayOfInstant } from '../kit/local-day-of-instant.ts';
import { isOk, parseResponseJson, UnexpectedResponse } from '../kit/request-flow.ts';
import { isScopeMissing } from './api-error.ts';
import { readGoogleSession } from './sessions.ts';
import { pointUrl } from './urls.ts';

export const locateSession: NonNullable<FetchAdapter['locate']> = function* ({ resource, id }, { zone }) {
  const response = yield { method: 'GET', url: pointUrl(resource, id) };
  if (response.status === 404 || isScopeMissing(response)) return undefined;
  if (!isOk(response)) throw new UnexpectedResponse(`Google Health ${resource}`, response);
  const session = readGoogleSession(resource, parseResponseJson(response));
  if (!session) return undefined;
  return { from: localDayOfInstant(session.startMs, zone), to: localDayOfInstant(session.endMs, zone) };
};
