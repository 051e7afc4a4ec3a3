import { describe, expect, test } from 'vitest';
import { type ProviderRequest, UnexpectedResponse } from '../../../../shared/providers/kit/request-flow.ts';
import { ouraFetch } from '../../../../shared/providers/oura/fetch.ts';
import { makeFetchRequest, makeResponse, runRequestFlow } from '../../../harness/request-flow.ts';

const base = 'https://api.ouraring.com/v2/usercollection/';
const nameOf = ({ url }: ProviderRequest): string => url.slice(base.length);
const empty = { data: [], next_token: null };
const window = (answer: Parameters<typeof runRequestFlow>[1], days = { from: '2026-03-05', to: '2026-03-06' }) =>
  runRequestFlow(ouraFetch.fetchWindow(makeFetchRequest(days)), answer);

describe('a window', () => {
  test('requests every collection, with extra days on either side', () => {
    const { requests, result } = window(() => makeResponse(empty));
    const days = { start_date: '2026-03-03', end_date: '2026-03-08' };
    expect(requests.map((request) => [request.method, nameOf(request), request.query])).toEqual([
      ['GET', 'daily_activity', days],
      ['GET', 'sleep', days],
      ['GET', 'daily_spo2', days],
      ['GET', 'workout', days],
      ['GET', 'session', days],
      ['GET', 'vO2_max', days],
      ['GET', 'heartrate', { start_datetime: '2026-03-03T00:00:00+00:00', end_datetime: '2026-03-08T00:00:00+00:00' }],
    ]);
    expect(result.map(({ resource }) => resource)).toEqual(requests.map(nameOf));
  });

  test('follows the tokens to the last page, and stores each page as received', () => {
    const { requests, result } = window((request) => {
      if (nameOf(request) !== 'sleep') return makeResponse(empty);
      const token = request.query?.['next_token'];
      return token === undefined
        ? makeResponse('{"data":[1],"next_token":"two"}')
        : makeResponse(`{"data":["after ${token}"],"next_token":null}`);
    });
    const sleeps = requests.filter((request) => nameOf(request) === 'sleep');
    expect(sleeps.map(({ query }) => query)).toEqual([
      { start_date: '2026-03-03', end_date: '2026-03-08' },
      { start_date: '2026-03-03', end_date: '2026-03-08', next_token: 'two' },
    ]);
    expect(result.filter(({ resource }) => resource === 'sleep').map(({ text }) => text)).toEqual([
      '{"data":[1],"next_token":"two"}',
      '{"data":["after two"],"next_token":null}',
    ]);
  });

  test('requests no more than thirty days of heart rate at once', () => {
    const { requests } = window(() => makeResponse(empty), { from: '2026-01-05', to: '2026-02-20' });
    expect(requests.filter((request) => nameOf(request) === 'heartrate').map(({ query }) => query)).toEqual([
      { start_datetime: '2026-01-03T00:00:00+00:00', end_datetime: '2026-02-02T00:00:00+00:00' },
      { start_datetime: '2026-02-02T00:00:00+00:00', end_datetime: '2026-02-22T00:00:00+00:00' },
    ]);
  });

  test.each([403, 404])('leaves out collections that are refused with %i, and nothing else', (status) => {
    const { result } = window((request) =>
      ['workout', 'heartrate'].includes(nameOf(request))
        ? makeResponse({ status, title: 'No', detail: 'Scope' }, status)
        : makeResponse(empty),
    );
    expect(result.map(({ resource }) => resource)).toEqual([
      'daily_activity',
      'sleep',
      'daily_spo2',
      'session',
      'vO2_max',
    ]);
  });

  test.each([
    [400, { detail: 'bad' }],
    [422, { detail: [] }],
    [200, 'not JSON'],
    [200, { items: [] }],
  ])('fails on an unknown response: %i %j', (status, body) => {
    expect(() => window(() => makeResponse(body, status))).toThrow(UnexpectedResponse);
  });

  test('fails when the pages never end', () => {
    expect(() => window(() => makeResponse({ data: [], next_token: 'again' }))).toThrow(UnexpectedResponse);
  });
});

describe('an announced document', () => {
  const locate = (resource: string, answer: Parameters<typeof runRequestFlow>[1], zone: string | null = null) => {
    const flow = ouraFetch.locate?.({ resource, id: 'doc-1' }, makeFetchRequest({ from: '', to: '' }, { zone }));
    if (!flow) throw new Error('the adapter has no locate flow');
    return runRequestFlow(flow, answer);
  };

  test('is looked up by its id, and the days around its own are read', () => {
    const { result, requests } = locate('sleep', () => makeResponse({ id: 'doc-1', day: '2026-03-01' }));
    expect(requests).toEqual([{ method: 'GET', url: `${base}sleep/doc-1` }]);
    expect(result).toEqual({ from: '2026-02-28', to: '2026-03-02' });
  });

  test.each([
    // 20:00 in Auckland is 02:00 of the same day in New York, and Oura files it under the next day.
    ['sleep', { day: '2026-03-02', bedtime_end: '2026-03-01T20:00:00+13:00' }, '2026-02-28', '2026-03-03'],
    ['workout', { day: '2026-03-02', start_datetime: '2026-03-02T06:00:00+13:00' }, '2026-02-28', '2026-03-03'],
    ['session', { day: '2026-03-02', start_datetime: 'no time' }, '2026-03-01', '2026-03-03'],
  ])('of a traveler is located around both its own day and that of its time: %s %j', (resource, document, from, to) => {
    expect(locate(resource, () => makeResponse(document), 'America/New_York').result).toEqual({ from, to });
  });

  test('of VO2 max has a path with another spelling', () => {
    expect(locate('vo2_max', () => makeResponse({ day: '2026-03-01' })).requests[0]?.url).toBe(`${base}vO2_max/doc-1`);
  });

  test('that does not exist has no location', () => {
    expect(locate('sleep', () => makeResponse({ detail: 'Document not found.' }, 404)).result).toBeUndefined();
  });

  test('without a day is an unexpected response', () => {
    expect(() => locate('sleep', () => makeResponse({ id: 'doc-1' }))).toThrow(UnexpectedResponse);
  });
});
