import { describe, expect, test } from 'vitest';
import type { FetchRequest } from '../../../../shared/providers/kit/adapter.ts';
import { UnexpectedResponse } from '../../../../shared/providers/kit/request-flow.ts';
import { stravaFetch } from '../../../../shared/providers/strava/fetch.ts';
import { testCredentials as credentials, makeResponse, runRequestFlow } from '../../../harness/request-flow.ts';
import { trailRun, trailRunInFull } from './payloads.ts';

const fetchRequest: FetchRequest = {
  from: '2026-10-16',
  to: '2026-10-20',
  zone: null,
  account: '264621',
  scopes: null,
  nowMs: Date.parse('2026-10-25T00:00:00Z'),
  credentials,
};
const api = 'https://www.strava.com/api/v3';
// 2026-10-14T00:00:00Z and 2026-10-23T00:00:00Z.
const bounds = { after: '1791936000', before: '1792713600', per_page: '100' };
const refused = {
  message: 'Authorization Error',
  errors: [{ resource: 'AccessToken', field: 'activity:read_permission', code: 'missing' }],
};

describe('a window', () => {
  test('reads the list up to an empty page, then each activity in full and its trace', () => {
    const { requests: questions, result } = runRequestFlow(stravaFetch.fetchWindow(fetchRequest), [
      makeResponse([trailRun]),
      makeResponse([]),
      makeResponse(trailRunInFull),
      makeResponse({ time: { data: [0] }, heartrate: { data: [92] } }),
    ]);
    expect(questions).toEqual([
      { method: 'GET', url: `${api}/athlete/activities`, query: { ...bounds, page: '1' } },
      { method: 'GET', url: `${api}/athlete/activities`, query: { ...bounds, page: '2' } },
      { method: 'GET', url: `${api}/activities/16181800001` },
      {
        method: 'GET',
        url: `${api}/activities/16181800001/streams`,
        query: { keys: 'time,heartrate', key_by_type: 'true' },
      },
    ]);
    expect(result).toEqual([
      { resource: 'activities', text: JSON.stringify([trailRun]) },
      { resource: 'activity', parameter: '16181800001', text: JSON.stringify(trailRunInFull) },
      { resource: 'streams', parameter: '16181800001', text: '{"time":{"data":[0]},"heartrate":{"data":[92]}}' },
    ]);
  });

  test('of an empty account is one empty list', () => {
    const { result } = runRequestFlow(stravaFetch.fetchWindow(fetchRequest), [makeResponse([])]);
    expect(result).toEqual([{ resource: 'activities', text: '[]' }]);
  });

  test('continues after a short page, and requests no details outside its days', () => {
    const before = { ...trailRun, id: 2, start_date: '2026-10-15T12:00:00Z' };
    const after = { ...trailRun, id: 3, start_date: '2026-10-21T12:00:00Z' };
    const inside = { ...trailRun, id: '9007199254740993', has_heartrate: false };
    const { requests: questions } = runRequestFlow(stravaFetch.fetchWindow(fetchRequest), [
      makeResponse([before]),
      makeResponse(`[${JSON.stringify(inside).replace('"9007199254740993"', '9007199254740993')}]`),
      makeResponse([after]),
      makeResponse([]),
      makeResponse(inside),
    ]);
    expect(questions.at(-1)?.url).toBe(`${api}/activities/9007199254740993`);
  });

  test('with very many activities requests the details of the eighteen newest', () => {
    const many = Array.from({ length: 30 }, (_, at) => ({
      ...trailRun,
      id: 100 + at,
      has_heartrate: false,
      start_date: `2026-10-17T10:${String(at).padStart(2, '0')}:00Z`,
    }));
    const { requests: questions } = runRequestFlow(stravaFetch.fetchWindow(fetchRequest), ({ url, query }) =>
      url.endsWith('/athlete/activities') ? makeResponse(query?.['page'] === '1' ? many : []) : makeResponse(trailRun),
    );
    const details = questions.map(({ url }) => /activities\/(\d+)$/.exec(url)?.[1]).filter((id) => id !== undefined);
    expect(details).toEqual(Array.from({ length: 18 }, (_, at) => String(129 - at)));
  });

  test('has an empty page for a deleted activity or trace, and leaves out forbidden ones', () => {
    const other = { ...trailRun, id: 2 };
    const { result } = runRequestFlow(stravaFetch.fetchWindow(fetchRequest), [
      makeResponse([trailRun, other]),
      makeResponse([]),
      makeResponse({ message: 'Record Not Found' }, 404),
      makeResponse({ message: 'Resource Not Found' }, 404),
      makeResponse(refused, 403),
      makeResponse(refused, 401),
    ]);
    expect(result.slice(1)).toEqual([
      { resource: 'activity', parameter: '16181800001', text: '' },
      { resource: 'streams', parameter: '16181800001', text: '' },
    ]);
  });

  test('without the permission for activities is empty', () => {
    expect(runRequestFlow(stravaFetch.fetchWindow(fetchRequest), [makeResponse(refused, 401)]).result).toEqual([]);
  });

  test.each([
    ['an unknown status', makeResponse('', 418)],
    ['a page that is not a list', makeResponse({ message: 'hello' })],
    ['a page that is not JSON', makeResponse('<html>')],
  ])('fails on %s', (_, answer) => {
    expect(() => runRequestFlow(stravaFetch.fetchWindow(fetchRequest), [answer])).toThrow(UnexpectedResponse);
  });

  test('fails on an endless list, to be requested in fewer days', () => {
    const endless = () => runRequestFlow(stravaFetch.fetchWindow(fetchRequest), () => makeResponse([trailRun]));
    expect(endless).toThrow('without end');
    expect(endless).toThrow(UnexpectedResponse);
  });
});

describe('an announced activity', () => {
  const { nowMs, account, scopes } = fetchRequest;
  const zone = 'America/New_York';
  const locate = (id: string, resource = 'activity') =>
    stravaFetch.locate?.({ resource, id }, { nowMs, zone, account, scopes, credentials }) ?? expect.unreachable();

  test("is on the day of its start in the user's zone", () => {
    // 20:30 the day before in New York, wherever the run was.
    const night = { ...trailRun, start_date: '2026-10-18T00:30:00Z', utc_offset: 46_800 };
    const { requests: questions, result } = runRequestFlow(locate('16181800001'), [makeResponse(night)]);
    expect(questions).toEqual([{ method: 'GET', url: `${api}/activities/16181800001` }]);
    expect(result).toEqual({ from: '2026-10-17', to: '2026-10-17' });
  });

  test('that does not exist has no location', () => {
    expect(runRequestFlow(locate('1'), [makeResponse('', 404)]).result).toBeUndefined();
    expect(runRequestFlow(locate('1'), [makeResponse(refused, 401)]).result).toBeUndefined();
  });

  test.each([['../athlete'], ['1/streams'], ['']])('is never requested by an invalid id: %j', (id) => {
    expect(runRequestFlow(locate(id), []).result).toBeUndefined();
  });

  test('of another kind is ignored', () => {
    expect(runRequestFlow(locate('1', 'segment'), []).result).toBeUndefined();
  });
});
