// Garmin announces data that it does not send. The details of an activity are fetched from Garmin's
// own address only.
import { expect, test } from 'vitest';
import { garminFetch } from '../../../../shared/providers/garmin/fetch.ts';
import { garminPush } from '../../../../shared/providers/garmin/push.ts';
import { makePushRequest, makeResponse, normalizePages, runRequestFlow } from '../../../harness/request-flow.ts';

const upload = 'uploadStartTimeInSeconds=1773230400&uploadEndTimeInSeconds=1773230460';
const address = `https://apis.garmin.com/wellness-api/rest/activityDetails?${upload}&token=XCk5.a-b_c`;
const notesOf = (body: object) => garminPush.read(makePushRequest(JSON.stringify(body)))?.notifications;
const pinged = (callbackURL: unknown) => notesOf({ activityDetails: [{ userId: 'ada', callbackURL }] });

test('a ping is recorded by its address and carries no data', () => {
  expect(pinged(address)).toEqual([
    {
      account: 'ada',
      what: 'object',
      resource: 'activityDetails',
      id: `activityDetails?${upload}&token=XCk5.a-b_c`,
    },
  ]);
  const respiration = `https://apis.garmin.com/wellness-api/rest/respiration?${upload}`;
  expect(notesOf({ allDayRespiration: [{ userId: 'ada', callbackURL: respiration }] })).toEqual([
    { account: 'ada', what: 'object', resource: 'allDayRespiration', id: `respiration?${upload}` },
  ]);
});

test.each([
  ['another host', `https://apis.garmin.com.example.org/wellness-api/rest/activityDetails?${upload}`],
  [
    'a host name as the user of another host',
    `https://apis.garmin.com@example.org/wellness-api/rest/activityDetails?${upload}`,
  ],
  ['credentials in front of the host', `https://ada:pw@apis.garmin.com/wellness-api/rest/activityDetails?${upload}`],
  ['another port', `https://apis.garmin.com:8443/wellness-api/rest/activityDetails?${upload}`],
  ['no encryption', `http://apis.garmin.com/wellness-api/rest/activityDetails?${upload}`],
  ['another service', `https://apis.garmin.com/partner-gateway/rest/user/registration?${upload}`],
  [
    'another service with a path of the same length',
    `https://apis.garmin.com/partner-gateway/v/activityDetails?${upload}`,
  ],
  ['a path that leaves the service', `https://apis.garmin.com/wellness-api/rest/../../user/id?${upload}`],
  ['a deeper path', `https://apis.garmin.com/wellness-api/rest/backfill/dailies?${upload}`],
  ['another parameter', `${address}&redirect=https://example.org`],
  ['no times', 'https://apis.garmin.com/wellness-api/rest/activityDetails'],
  ['no address', 'activityDetails'],
  ['an overlong token', `https://apis.garmin.com/wellness-api/rest/activityDetails?${upload}&token=${'x'.repeat(900)}`],
])('%s is not recorded', (_what, callbackURL) => {
  expect(pinged(callbackURL)).toEqual([]);
});

const collected = (id: string, reply = makeResponse([]), resource = 'activityDetails') => {
  const flow = garminFetch.collect?.({ resource, id });
  if (!flow) throw new Error('the adapter has no collect flow');
  return runRequestFlow(flow, () => reply);
};
const callback = `activityDetails?${upload}&token=XCk5.a-b_c`;
const details = (activityId: number) => ({
  userId: 'ada',
  summaryId: `${activityId}-detail`,
  activityId,
  summary: {
    activityType: 'CYCLING',
    startTimeInSeconds: 1_773_216_000,
    startTimeOffsetInSeconds: 3600,
    durationInSeconds: 14_400,
  },
  samples: [
    { startTimeInSeconds: 1_773_216_000, latitudeInDegree: 48.1, longitudeInDegree: 11.5, heartRate: 120 },
    { startTimeInSeconds: 1_773_216_001, latitudeInDegree: 48.1, longitudeInDegree: 11.5 },
  ],
});

test("announced data is fetched from Garmin, one page per activity, without the user's location", () => {
  const { requests, result } = collected(callback, makeResponse([details(7), details(8)]));
  expect(requests).toEqual([
    {
      method: 'GET',
      url: 'https://apis.garmin.com/wellness-api/rest/activityDetails',
      query: {
        uploadStartTimeInSeconds: '1773230400',
        uploadEndTimeInSeconds: '1773230460',
        token: 'XCk5.a-b_c',
      },
    },
  ]);
  expect(result.map(({ resource, text }) => [resource, JSON.parse(text)])).toEqual([
    [
      'push',
      { activityDetails: [{ ...details(7), samples: [{ startTimeInSeconds: 1_773_216_000, heartRate: 120 }] }] },
    ],
    [
      'push',
      { activityDetails: [{ ...details(8), samples: [{ startTimeInSeconds: 1_773_216_000, heartRate: 120 }] }] },
    ],
  ]);
  expect(normalizePages('garmin', result).records.workouts).toMatchObject([
    { sourceId: '7', heartRate: [{ atMs: 1_773_216_000_000, bpm: 120 }] },
    { sourceId: '8', heartRate: [{ atMs: 1_773_216_000_000, bpm: 120 }] },
  ]);
});

test('a notification with any other address is not fetched', () => {
  for (const id of ['', 'activityDetails', `../user/id?${upload}`, `user/id?${upload}`])
    expect(collected(id)).toEqual({ requests: [], result: [] });
  expect(collected(callback, makeResponse([]), 'somethingNew')).toEqual({ requests: [], result: [] });
});

test('an expired address and a response that is not a list are reported as errors', () => {
  expect(() => collected(callback, makeResponse({ errorMessage: 'token expired' }, 400))).toThrow(
    'the provider answered 400',
  );
  expect(() => collected(callback, makeResponse({ activityDetails: [] }))).toThrow('Garmin activityDetails');
});
