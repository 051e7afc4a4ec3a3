// Which day a session counts toward in the daily session limit of a device.
import { expect, test } from 'vitest';
import { MobileScope } from '../../../shared/catalog/mobile-scopes.ts';
import { acceptUpload } from '../../../shared/mobile/accept-upload.ts';
import { uploadLimits } from '../../../shared/providers/kit/upload-limits.ts';
import type { UploadAccepted } from '../../../shared/providers/kit/upload-response.ts';
import { UploadBody } from '../../../shared/providers/phone/upload.ts';
import { readUserContext } from '../../../shared/users/user-context.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { pendingCommands } from '../../harness/pending-commands.ts';
import { createRacedUser, type RacedUser } from '../../harness/raced-user.ts';
import { watch } from '../../harness/races/scenarios/scenario-fixtures.ts';
import { openSdkSession } from '../../harness/sdk-session.ts';

const maxSessions = uploadLimits.sessionsPerDay;
const iso = (ms: number): string => new Date(ms).toISOString();

async function send(user: RacedUser, lists: object, time_zone: string | null): Promise<UploadAccepted> {
  const { provider, ...device } = watch;
  const { account, env } = user.caller;
  const sessionId = await openSdkSession(user.deps, { id: user.id, account, env }, provider);
  const session = { kind: 'sdk_session', account, env, form: 2, userId: user.id, sessionId, provider } as const;
  const body = UploadBody.parse({ time_zone, device, ...lists });
  return acceptUpload(user.deps, { ...session, scopes: MobileScope.options, sharingEpoch: 0 }, body);
}
const walks = (from: string, count: number) => ({
  workouts: Array.from({ length: count }, (_none, at) => ({
    type: 'walking',
    start: iso(Date.parse(from) + at * 1_000),
    end: iso(Date.parse(from) + at * 1_000 + 60_000),
  })),
});
/** Each lasts an hour. */
const nights = (end: string, count: number) => ({
  sleep: Array.from({ length: count }, (_none, at) => ({
    start: iso(Date.parse(end) + at * 1_000 - 3_600_000),
    end: iso(Date.parse(end) + at * 1_000),
  })),
});

test('a user without a time zone has the days of the phone', async () => {
  const user = await createRacedUser(memoryTable(), null);
  // One day in UTC, two days in Tokyo.
  const both = {
    workouts: [...walks('2026-03-10T13:00:00Z', maxSessions).workouts, ...walks('2026-03-10T16:00:00Z', 2).workouts],
  };
  expect(await send(user, both, 'Asia/Tokyo')).toMatchObject({ accepted: maxSessions + 2, rejected_count: 0 });
  const other = await createRacedUser(memoryTable(), null);
  expect(await send(other, both, 'UTC')).toMatchObject({ accepted: maxSessions, rejected_count: 2 });
});

test('a night counts toward the day on which it ends', async () => {
  const user = await createRacedUser(memoryTable(), 'UTC');
  // They begin on the 9th; the first also ends on the 9th.
  const early = nights('2026-03-09T23:30:00Z', 1).sleep;
  const late = nights('2026-03-10T00:30:00Z', maxSessions).sleep;
  expect(await send(user, { sleep: [...early, ...late] }, 'UTC')).toMatchObject({
    accepted: maxSessions + 1,
    rejected_count: 0,
  });
});

/** A second each, one after another. */
const withStages = (night: { start: string; end: string }, count: number) => ({
  ...night,
  stages: Array.from({ length: count }, (_none, at) => ({
    stage: 'light',
    start: iso(Date.parse(night.start) + at * 1_000),
    end: iso(Date.parse(night.start) + (at + 1) * 1_000),
  })),
});

test('the nights of a day have no more stages together than the limit, also when they are replaced', async () => {
  const user = await createRacedUser(memoryTable(), 'UTC');
  const [first, second, third] = [0, 2, 4].flatMap(
    (hour) => nights(iso(Date.parse('2026-03-10T04:00:00Z') + hour * 3_600_000), 1).sleep,
  );
  if (!first || !second || !third) return expect.unreachable();
  const half = uploadLimits.sleepStagesPerDay / 2;
  const tooMany = { sleep: [first, second, third].map((each) => withStages(each, half)) };
  expect(await send(await createRacedUser(memoryTable(), 'UTC'), tooMany, 'UTC')).toMatchObject({
    accepted: 2,
    rejected: [{ path: 'sleep.2', code: 'limit_exceeded' }],
  });
  const full = { sleep: [withStages(first, half), withStages(second, half), third] };
  expect(await send(user, full, 'UTC')).toMatchObject({ accepted: 3, rejected_count: 0 });
  await user.settle();
  expect(await send(user, { sleep: [withStages(third, 1), withStages(first, half)] }, 'UTC')).toMatchObject({
    accepted: 1,
    rejected: [{ path: 'sleep.0', code: 'limit_exceeded', message: expect.stringContaining('6000 stages per day') }],
  });
  const fewer = { sleep: [withStages(first, half - 1), withStages(third, 1)] };
  expect(await send(user, fewer, 'UTC')).toMatchObject({ accepted: 2, rejected_count: 0 });
});

test('an upload whose records are all rejected leaves no pending work and does not count as a sync of its device', async () => {
  const user = await createRacedUser(memoryTable(), 'UTC');
  await send(user, walks('2026-03-10T10:00:00Z', maxSessions), 'UTC');
  await user.settle();
  const [before] = (await readUserContext(user.deps, user.id))?.devices ?? [];
  const response = await send(user, walks('2026-03-10T18:00:00Z', 1), 'UTC');
  expect(response).toMatchObject({ accepted: 0, rejected_count: 1, batch_id: expect.stringMatching(/^bat_/) });
  const [after] = (await readUserContext(user.deps, user.id))?.devices ?? [];
  expect(after).toEqual(before);
  expect(await pendingCommands(user.table, user.id)).toEqual([]);
});
