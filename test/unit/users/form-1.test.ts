import { expect, test } from 'vitest';
import { form1PendingDevice, PendingDeviceEnvelope } from '../../../shared/connections/form-1.ts';
import { PageNumber, PerPage } from '../../../shared/platform/offset-page.ts';
import { form1User, form1Users } from '../../../shared/users/form-1.ts';
import { UserEnvelope, UserOffsetPage } from '../../../shared/users/form-1-schema.ts';
import { noPendingScores } from '../../../shared/users/pending-scores.ts';
import type { UserRow } from '../../../shared/users/user-rows.ts';

const row: UserRow = {
  id: 'usr_01k9p3w0b1c3e5g7j9m1p3r5t7',
  account: 'acc_01k9p3vvj8q4x7c2m5n6t8w0ya',
  env: 'live',
  reference: 'member-4711',
  timezone: 'Europe/Berlin',
  dayRule: 'profile',
  timezoneSource: 'device',
  profile: { sex: 'female' },
  status: 'active',
  createdMs: Date.parse('2026-03-01T08:00:00.000Z'),
  lastSyncMs: Date.parse('2026-03-14T07:26:53.589Z'),
  lastScoreMs: Date.parse('2026-03-14T07:27:10.004Z'),
  scoreGeneration: 6,
  mergeRule: 2,
  revision: 3,
  fence: 9,
  sessionsOpened: 0,
  lastUploads: {},
  scores: noPendingScores,
  sharingEpoch: 0,
  unshared: null,
};
const flat = {
  id: row.id,
  reference_id: 'member-4711',
  timezone: 'Europe/Berlin',
  day_rule: 'profile',
  timezone_source: 'device' as const,
  status: 'active',
  score_status: 'ready',
  last_sync_at: '2026-03-14T07:26:53.589Z',
  last_score_at: '2026-03-14T07:27:10.004Z',
  created_at: '2026-03-01T08:00:00.000Z',
  profile: { sex: 'female' },
};

test('users are in a page with its number, its size and the total', () => {
  const bare: UserRow = { ...row, reference: null, timezone: null, profile: {}, lastSyncMs: null, lastScoreMs: null };
  const shown = form1Users.render({ users: [row, bare], total: 57 }, { page: 3, per_page: 2 });
  expect(UserOffsetPage.parse(shown)).toEqual({
    data: [
      flat,
      {
        ...flat,
        reference_id: null,
        timezone: null,
        timezone_source: null,
        profile: {},
        score_status: 'calibrating',
        last_sync_at: null,
        last_score_at: null,
      },
    ],
    meta: { page: 3, per_page: 2, total: 57 },
  });
});

test('users are requested by page or by reference', () => {
  expect(form1Users.parse({ page: 3, per_page: 2 })).toEqual({ page: 3, perPage: 2, reference: undefined });
  expect(form1Users.parse({ page: 1, per_page: 20, reference_id: 'me' }).reference).toBe('me');
});

test('a user is in an envelope, with only the fields of the form', () => {
  const { reference_id, ...alike } = flat;
  const user = {
    ...alike,
    external_ref: reference_id,
    day_rule: 'profile',
    status: 'active',
    score_status: 'ready',
    devices: [],
  } as const;
  const shown = form1User.render({ ...user, profile: { sex: 'female' } }, {});
  expect(shown).toEqual({ data: flat });
  expect(UserEnvelope.parse(shown)).toEqual(shown);
});

test('a device that waits for consent is in an envelope', () => {
  const pending = {
    id: 'dev_01k9p3w4d6f8h0k2n4q6s8v0x2',
    provider: 'oura',
    status: 'pending',
    auth_url: 'https://api.example.com/connect/f3K9xw2Qm7',
    expires_at: '2026-03-14T07:41:53.589Z',
  } as const;
  expect(PendingDeviceEnvelope.parse(form1PendingDevice.render(pending, {}))).toEqual({ data: pending });
});

test('pages are numbered from 1, and have 20 items by default and 100 at most', () => {
  expect([PageNumber.parse(undefined), PageNumber.parse('7')]).toEqual([1, 7]);
  expect([PerPage.parse(undefined), PerPage.parse('1'), PerPage.parse('100')]).toEqual([20, 1, 100]);
});

test.each(['0', '-1', '1.5', 'abc', '', ' 1', '1e3', '9999999999'])('%j is neither a page nor a size', (text) => {
  expect([PageNumber.safeParse(text).success, PerPage.safeParse(text).success]).toEqual([false, false]);
});
test('the error for an invalid page states the valid range', () => {
  for (const text of ['0', '9999999999'])
    expect(PageNumber.safeParse(text).error?.issues).toMatchObject([
      { message: 'must be a whole number from 1 to 999999999' },
    ]);
});
test('101 is a valid page, but not a valid size', () => {
  expect([PageNumber.safeParse('101').success, PerPage.safeParse('101').success]).toEqual([true, false]);
});
