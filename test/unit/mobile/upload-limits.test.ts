import { beforeEach, describe, expect, test } from 'vitest';
import { MobileScope } from '../../../shared/catalog/mobile-scopes.ts';
import { acceptUpload } from '../../../shared/mobile/accept-upload.ts';
import { uploadLimits } from '../../../shared/providers/kit/upload-limits.ts';
import type { UploadAccepted } from '../../../shared/providers/kit/upload-response.ts';
import { UploadBody } from '../../../shared/providers/phone/upload.ts';
import { Failure } from '../../../shared/system/failure.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { createRacedUser, type RacedUser, type TestDevice } from '../../harness/raced-user.ts';
import { phone, watch } from '../../harness/races/scenarios/scenario-fixtures.ts';
import { runWriter } from '../../harness/run-writer.ts';
import { openSdkSession } from '../../harness/sdk-session.ts';

let user: RacedUser;
beforeEach(async () => {
  user = await createRacedUser(memoryTable(), 'America/New_York');
});

async function send({ provider, ...device }: TestDevice, lists: object, time_zone = 'UTC'): Promise<UploadAccepted> {
  const { account, env } = user.caller;
  const sessionId = await openSdkSession(user.deps, { id: user.id, account, env }, provider);
  const session = { kind: 'sdk_session', account, env, form: 2, userId: user.id, sessionId, provider } as const;
  const body = UploadBody.parse({ time_zone, device, ...lists });
  return acceptUpload(user.deps, { ...session, scopes: MobileScope.options, sharingEpoch: 0 }, body);
}
const processUploads = () => runWriter(user.deps, user.id);
const summary = ({ accepted, rejected_count, rejected }: UploadAccepted) => ({
  accepted,
  rejected_count,
  rejected: rejected.map(({ path, code }) => `${path} ${code}`),
});
const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_none, at) => make(at));

const maxSessions = uploadLimits.sessionsPerDay;
/** Noon of the 10th in New York. */
const noon = Date.parse('2026-03-10T16:00:00Z');
const minuteMs = 60_000;
const iso = (ms: number): string => new Date(ms).toISOString();
const span = (at: number, base = noon) => ({
  start: iso(base + at * 1_000),
  end: iso(base + at * 1_000 + minuteMs),
});
const lists = {
  sleep: (from: number, count: number, base?: number) => ({ sleep: times(count, (at) => span(from + at, base)) }),
  workouts: (from: number, count: number, base?: number) => ({
    workouts: times(count, (at) => ({ type: 'walking', ...span(from + at, base) })),
  }),
};

describe.each(['sleep', 'workouts'] as const)('the daily limit of %s per device', (kind) => {
  const some = lists[kind];

  test('rejects the excess by its position and accepts the rest', async () => {
    expect(summary(await send(watch, some(0, maxSessions + 2)))).toEqual({
      accepted: maxSessions,
      rejected_count: 2,
      rejected: [`${kind}.${maxSessions} limit_exceeded`, `${kind}.${maxSessions + 1} limit_exceeded`],
    });
  });

  test('reports the position in the body, regardless of other rejected records', async () => {
    const [first, ...rest] = Object.values(some(0, maxSessions + 1))[0] ?? [];
    const response = await send(watch, { [kind]: [first, 'nothing', ...rest] });
    expect(summary(response)).toEqual({
      accepted: maxSessions,
      rejected_count: 2,
      rejected: [`${kind}.1 invalid_record`, `${kind}.${maxSessions + 1} limit_exceeded`],
    });
  });

  test('includes stored sessions, which can still be corrected', async () => {
    await send(watch, some(0, maxSessions));
    await processUploads();
    expect(summary(await send(watch, some(maxSessions, 1)))).toMatchObject({ accepted: 0, rejected_count: 1 });
    const [known] = Object.values(some(7, 1))[0] ?? [];
    const later = { ...known, end: iso(noon + 10 * minuteMs) };
    expect(summary(await send(watch, { [kind]: [later] }))).toEqual({ accepted: 1, rejected_count: 0, rejected: [] });
  });

  test('is separate for another device and for another day of the user', async () => {
    await send(watch, some(0, maxSessions));
    await processUploads();
    expect(summary(await send(phone, some(maxSessions, maxSessions)))).toMatchObject({ accepted: maxSessions });
    // Both are on the same day in UTC, but this one is on the next day in New York.
    const nextDay = Date.parse('2026-03-11T04:30:00Z');
    expect(summary(await send(watch, some(0, 1, nextDay)))).toMatchObject({ accepted: 1 });
    const evening = Date.parse('2026-03-11T02:00:00Z');
    expect(summary(await send(watch, some(0, 1, evening)))).toMatchObject({ accepted: 0, rejected_count: 1 });
  });
});

test('nights do not count as workouts', async () => {
  const response = await send(watch, { ...lists.sleep(0, maxSessions), ...lists.workouts(0, maxSessions) });
  expect(summary(response)).toEqual({ accepted: 2 * maxSessions, rejected_count: 0, rejected: [] });
});

const trace = (points: number) => ({
  workouts: [
    {
      type: 'walking',
      start: iso(noon),
      end: iso(noon + minuteMs),
      heart_rate: times(points, (at) => ({ timestamp: iso(noon + (at % 60) * 1_000), bpm: 60 })),
    },
  ],
});

test('a trace has a maximum number of points, and its workout is rejected beyond that', async () => {
  const response = await send(watch, trace(uploadLimits.tracePoints));
  expect(summary(response)).toEqual({ accepted: 1, rejected_count: 0, rejected: [] });
  expect(summary(await send(watch, trace(uploadLimits.tracePoints + 1)))).toEqual({
    accepted: 0,
    rejected_count: 1,
    rejected: ['workouts.0.heart_rate limit_exceeded'],
  });
});

test('an upload has a maximum number of records across all its lists', async () => {
  const half = uploadLimits.records / 2;
  const bodies = (more: number) => ({ samples: times(half, () => 0), daily: times(half + more, () => 0) });
  expect(summary(await send(watch, bodies(0)))).toMatchObject({ accepted: 0, rejected_count: uploadLimits.records });
  const refused = await send(watch, bodies(1)).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Failure);
  expect(refused).toMatchObject({ code: 'payload_too_large' });
});

test('all rejected records are counted, and the first hundred are listed in order', async () => {
  const wrong = times(80, () => ({ metric: 'mood' }));
  const bad = { timestamp: iso(noon), bpm: 900 };
  const workouts = [{ type: 'walking', ...span(0), heart_rate: times(50, () => bad) }];
  const response = await send(watch, { samples: wrong, workouts });
  expect([response.accepted, response.rejected_count, response.rejected.length]).toEqual([1, 130, 100]);
  expect(response.rejected.map(({ path }) => path)).toEqual([
    ...times(80, (at) => `samples.${at}.metric`),
    ...times(20, (at) => `workouts.0.heart_rate.${at}.bpm`),
  ]);
});

describe('records from before 2000 are rejected', () => {
  const [before, first] = ['1999-12-31T23:59:59.999Z', '2000-01-01T00:00:00Z'];
  const sample = (start: string, more: object = {}) => ({ metric: 'weight', start, value: 70, unit: 'kg', ...more });
  const end = '2000-01-01T01:00:00Z';
  test.each([
    ['samples.0.start', { samples: [sample(before)] }, { samples: [sample(first)] }],
    ['samples.0.start', { samples: [sample(before, { end })] }, { samples: [sample(first, { end })] }],
    ['sleep.0.start', { sleep: [{ start: before, end }] }, { sleep: [{ start: first, end }] }],
    [
      'workouts.0.start',
      { workouts: [{ type: 'walking', start: before, end }] },
      { workouts: [{ type: 'walking', start: first, end }] },
    ],
    [
      'daily.0.date',
      { daily: [{ metric: 'weight', date: '1999-12-31', value: 70, unit: 'kg' }] },
      { daily: [{ metric: 'weight', date: '2000-01-01', value: 70, unit: 'kg' }] },
    ],
  ])('at %s', async (path, early, good) => {
    expect(summary(await send(watch, early)).rejected).toEqual([`${path} invalid_time`]);
    expect(summary(await send(watch, good))).toEqual({ accepted: 1, rejected_count: 0, rejected: [] });
  });
});
