import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareAsEqual, deduplicateSessions } from '../../../shared/measurements/deduplicate-sessions.ts';
import type { SleepRow, WorkoutRow } from '../../../shared/measurements/rows/session-rows.ts';
import {
  type IncomingNight,
  mergeSessions,
  type SessionClaim,
  sleepDate,
  toSleepRows,
} from '../../../shared/pipeline/merge-sessions.ts';
import { summarizeNights } from '../../../shared/pipeline/night-summary.ts';
import { sleepRow, workoutRow } from '../../harness/stored-data.ts';

const row = sleepRow(0, '2026-03-10T22:00:00Z', 480, { asleepMinutes: 400 });
const on = (date: string, revision: number, ...sessions: SleepRow[]) => ({ date, sessions, revision });
const counting = (date: string) => () => date;
/** The same report again, as it arrives: with its own id and time. */
const again = { ...row, id: 'slp_again', receivedMs: row.receivedMs + 1_000 };

describe('the stages of a night', () => {
  const staged = { ...row, stages: '1l3600d1800' };
  const stagesAfter = (stored: SleepRow, incoming: Parameters<typeof mergeSessions<IncomingNight>>[1][number]) =>
    mergeSessions<IncomingNight>([on('2026-03-11', 3, stored)], [incoming], counting('2026-03-11')).now.get(
      '2026-03-11',
    )?.sessions;

  test('are replaced by those of a later version', () => {
    expect(stagesAfter(staged, { ...again, stages: '1r600' })).toMatchObject([{ stages: '1r600' }]);
  });

  test('are dropped by a later version without stages', () => {
    const [after] = stagesAfter(staged, again) ?? [];
    expect(after).toMatchObject({ id: row.id });
    expect(after).not.toHaveProperty('stages');
  });

  test('stay if they were not requested again, and the night has the same times', () => {
    const unread = { ...again, keepsStages: true } as const;
    expect(stagesAfter(staged, unread)).toEqual([staged]);
    expect(stagesAfter(staged, { ...unread, asleepMinutes: 300 })).toEqual([
      { ...again, id: row.id, asleepMinutes: 300, stages: '1l3600d1800' },
    ]);
    const longer = { ...unread, endMs: row.endMs + 60_000 };
    expect(stagesAfter(staged, longer)).toEqual([{ ...again, id: row.id, endMs: longer.endMs }]);
    expect(stagesAfter(row, { ...unread, asleepMinutes: 300 })).toEqual([{ ...again, id: row.id, asleepMinutes: 300 }]);
  });

  test('do not stay if the night now begins at another time, though it ends at the same', () => {
    const named = { ...staged, sourceId: 'n1' };
    const moved = { ...again, sourceId: 'n1', startMs: row.startMs + 60_000, keepsStages: true } as const;
    const [after] = stagesAfter(named, moved) ?? [];
    expect(after).toMatchObject({ id: row.id, startMs: moved.startMs, endMs: row.endMs });
    expect(after).not.toHaveProperty('stages');
  });
});

describe('a session that arrives again', () => {
  test('unchanged writes nothing', () => {
    const { days, dates } = mergeSessions([on('2026-03-11', 3, row)], [again], counting('2026-03-11'));
    expect(days).toEqual([]);
    expect([...dates]).toEqual(['2026-03-11']);
  });

  test('changed and then as before in one upload writes nothing', () => {
    const otherwise = { ...again, asleepMinutes: 300 };
    const { days } = mergeSessions([on('2026-03-11', 3, row)], [otherwise, again], counting('2026-03-11'));
    expect(days).toEqual([]);
  });

  test('changed and then as before gets the newer time where another report covers the same night', () => {
    const otherwise = { ...again, asleepMinutes: 300 };
    const last = { ...again, receivedMs: again.receivedMs + 1_000 };
    const other = { ...again, id: 'slp_other', startMs: row.startMs + 60_000 };
    const alone = mergeSessions([on('2026-03-11', 3, row)], [otherwise, last], counting('2026-03-11'));
    expect(alone.days).toEqual([]);
    const { days } = mergeSessions([on('2026-03-11', 3, row, other)], [otherwise, last], counting('2026-03-11'));
    expect(days).toEqual([on('2026-03-11', 3, { ...last, id: row.id }, other)]);
  });

  test('unchanged but now counting on another day moves there and keeps its time', () => {
    const { days } = mergeSessions([on('2026-03-10', 2, row)], [again], counting('2026-03-11'));
    expect(days).toEqual([on('2026-03-10', 2), on('2026-03-11', 0, row)]);
  });

  test('with its fields in another order is unchanged', () => {
    const { id, ...rest } = again;
    expect(mergeSessions([on('2026-03-11', 3, row)], [{ ...rest, id }], counting('2026-03-11')).days).toEqual([]);
  });

  test('is sorted within its day by start, then by id', () => {
    const b = { ...row, device: 1, id: 'slp_b' };
    const a = { ...row, device: 2, id: 'slp_a' };
    const early = { ...row, startMs: row.startMs - 1, id: 'slp_z' };
    const { days } = mergeSessions([on('2026-03-11', 3, b)], [a, early], counting('2026-03-11'));
    expect(days[0]?.sessions.map((session) => session.id)).toEqual(['slp_z', 'slp_a', 'slp_b']);
  });

  test('has an id that differs from those of other devices and users with the same start', () => {
    const { receivedMs, startMs, endMs, offsetMinutes } = row;
    const minutes = { asleepMinutes: 400, deepMinutes: null, lightMinutes: null };
    const more = { remMinutes: null, awakeMinutes: null, inBedMinutes: null };
    const session = { startMs, endMs, offsetMinutes, ...minutes, ...more };
    const idFor = (userId: string, deviceId: string) =>
      toSleepRows({ userId, deviceId, device: 0, rule: { zone: null, by: 'profile' } }, [{ session, receivedMs }])[0]
        ?.id;
    const ids = [idFor('usr_a', 'dev_a'), idFor('usr_a', 'dev_b'), idFor('usr_b', 'dev_a')];
    expect(new Set(ids).size).toBe(3);
    expect(idFor('usr_a', 'dev_a')).toBe(ids[0]);
  });

  test('unchanged while it is stored on two days stays only on the day it counts on', () => {
    const stored = [on('2026-03-10', 2, row), on('2026-03-11', 3, row)];
    for (const date of ['2026-03-10', '2026-03-11']) {
      const { days, dates, now } = mergeSessions(stored, [again], counting(date));
      expect([...dates].sort()).toEqual(['2026-03-10', '2026-03-11']);
      expect([...now.values()].filter(({ sessions }) => sessions.length > 0).map((day) => day.date)).toEqual([date]);
      const emptied = days.filter(({ sessions }) => sessions.length === 0);
      expect(emptied).toEqual(stored.filter((day) => day.date !== date).map((day) => ({ ...day, sessions: [] })));
    }
  });

  test('while it is stored on two days has both written, so that a concurrent removal from either conflicts', () => {
    const stored = [on('2026-03-10', 2, row), on('2026-03-11', 3, row)];
    for (const { date } of stored) {
      const { days } = mergeSessions(stored, [row], counting(date));
      expect(days.map((day) => [day.date, day.revision])).toEqual(stored.map((day) => [day.date, day.revision]));
    }
  });

  test('on another day leaves the old day and keeps its id', () => {
    const moved = { ...again, offsetMinutes: 60 };
    const { days } = mergeSessions([on('2026-03-10', 2, row)], [moved], counting('2026-03-11'));
    expect(days).toEqual([on('2026-03-10', 2), on('2026-03-11', 0, { ...moved, id: row.id })]);
  });

  test('from another device or with another start is a separate session', () => {
    const others = [
      { ...row, device: 1, id: 'slp_b' },
      { ...row, startMs: row.startMs + 1, id: 'slp_c' },
    ];
    const { days } = mergeSessions([on('2026-03-11', 3, row)], others, counting('2026-03-11'));
    expect(days[0]?.sessions.map(({ id }) => id).sort()).toEqual([row.id, 'slp_b', 'slp_c'].sort());
  });
});

describe('an interim version', () => {
  const interim = { ...again, asleepMinutes: null, interim: true as const };

  test('is replaced by a later interim version', () => {
    const longer = { ...interim, endMs: row.endMs + 1_000 };
    const { days } = mergeSessions([on('2026-03-11', 3, { ...row, interim: true })], [longer], counting('2026-03-11'));
    expect(days).toEqual([on('2026-03-11', 3, { ...longer, id: row.id })]);
  });

  test('of a night that now counts on another day moves the final version, which keeps its time', () => {
    const { days } = mergeSessions([on('2026-03-10', 2, row)], [interim], counting('2026-03-11'));
    expect(days).toEqual([on('2026-03-10', 2), on('2026-03-11', 0, row)]);
  });
});

test('the outline flag of a workout is not stored, whether the workout was known before or not', () => {
  const full = workoutRow(0, '2026-03-10T10:00:00Z', 40, { type: 'running' });
  const outline = { ...full, calories: null, outline: true as const };
  const stored = (...sessions: (typeof full)[]) => [{ date: '2026-03-10', sessions, revision: 1 }];
  const into = (before: ReturnType<typeof stored>) =>
    mergeSessions<typeof full & { outline?: true }>(before, [{ ...outline, distanceKm: 7 }], () => '2026-03-10').days;
  for (const days of [into([]), into(stored(full))]) {
    expect(days.flatMap(({ sessions }) => sessions.map(({ distanceKm }) => distanceKm))).toEqual([7]);
    expect(days.flatMap(({ sessions }) => sessions.flatMap(Object.keys))).not.toContain('outline');
  }
});

test('an outline of a workout leaves the fields it lacks, and a full report clears them', () => {
  type Row = WorkoutRow & { outline?: true };
  const full: Row = workoutRow(0, '2026-03-10T10:00:00Z', 40, { strain: 12.4, avgMets: 9, swimmingStrokeCount: 500 });
  const { strain: _strain, avgMets: _mets, ...bare } = full;
  const after = (row: Row) =>
    mergeSessions<Row>([{ date: '2026-03-10', sessions: [full], revision: 1 }], [row], () => '2026-03-10').days.flatMap(
      ({ sessions }) => sessions.map((each) => [each.strain, each.avgMets, each.swimmingStrokeCount]),
    );
  expect(after({ ...bare, swimmingStrokeCount: 510, outline: true })).toEqual([[12.4, 9, 510]]);
  expect(after({ ...bare, swimmingStrokeCount: 510 })).toEqual([[undefined, undefined, 510]]);
});

describe('the day of a night', () => {
  const late = { ...row, endMs: Date.parse('2026-03-03T06:00:00Z') };

  test("is the day of its end in the profile's zone", () => {
    expect(sleepDate(late, { zone: null, by: 'profile' })).toBe('2026-03-03');
    expect(sleepDate(late, { zone: 'America/Los_Angeles', by: 'profile' })).toBe('2026-03-02');
    const abroad = { ...late, offsetMinutes: 600 };
    expect(sleepDate(abroad, { zone: 'America/Los_Angeles', by: 'profile' })).toBe('2026-03-02');
  });

  test('is the day of the place where it was slept, if the user has chosen so', () => {
    const abroad = { ...late, offsetMinutes: 600 };
    expect(sleepDate(abroad, { zone: 'America/Los_Angeles', by: 'recorded' })).toBe('2026-03-03');
    expect(sleepDate(late, { zone: 'America/Los_Angeles', by: 'recorded' })).toBe('2026-03-02');
  });
});

describe('the summary of a night', () => {
  const context = { userId: 'usr_a', deviceId: 'dev_a', device: 0, rule: { zone: null, by: 'profile' } } as const;
  const slept = { startMs: row.startMs, endMs: row.endMs, offsetMinutes: null };
  const minutes = { asleepMinutes: 400, deepMinutes: null, lightMinutes: null };
  const none = { remMinutes: null, awakeMinutes: null, inBedMinutes: null };
  const [telling, later] = [
    { sleep_heart_rate: { value: 52 }, sleep_latency: { value: 5, original: { value: 300, unit: 's' } } },
    { sleep_heart_rate: null, sleep_blood_oxygen: { value: 97 } },
  ].map(
    (summary, at) => toSleepRows(context, [{ session: { ...slept, ...minutes, ...none, summary }, receivedMs: at }])[0],
  );

  test('is stored with the night, without empty values', () => {
    const { days } = mergeSessions<SleepRow>([], telling ? [telling] : [], counting('2026-03-11'));
    expect(days[0]?.sessions[0]?.summary).toEqual({ sleep_heart_rate: 52, sleep_latency: [5, 300, 's'] });
    expect(days[0]?.sessions[0]).not.toHaveProperty('removed');
  });

  test('keeps a value that a later version omits, and loses one that the later version sets to null', () => {
    const { days } = mergeSessions<SleepRow>([], telling && later ? [telling, later] : [], counting('2026-03-11'));
    expect(days[0]?.sessions[0]?.summary).toEqual({ sleep_blood_oxygen: 97, sleep_latency: [5, 300, 's'] });
  });

  test('sent again unchanged writes nothing', () => {
    const { days } = mergeSessions<SleepRow>([], telling ? [telling] : [], counting('2026-03-11'));
    const stored = days.map((day) => ({ ...day, revision: 1 }));
    const again = telling ? [{ ...telling, receivedMs: 7 }] : [];
    expect(mergeSessions<SleepRow>(stored, again, counting('2026-03-11')).days).toEqual([]);
  });

  test('counts by the longest night that reports the value', () => {
    const nap = sleepRow(0, '2026-03-10T12:00:00Z', 30, { summary: { sleep_heart_rate: 60, resting_heart_rate: 58 } });
    const long = sleepRow(0, '2026-03-10T22:00:00Z', 480, { summary: { sleep_heart_rate: 52 } });
    expect(summarizeNights([nap, long])).toEqual(
      new Map([
        ['sleep_heart_rate', { value: 52 }],
        ['resting_heart_rate', { value: 58 }],
      ]),
    );
  });
});

describe('a session that a device retracts', () => {
  const claim = {
    device: 0,
    receivedMs: row.receivedMs + 10,
    days: { from: '2026-03-10', to: '2026-03-12' },
    zone: null,
    by: 'endMs',
  } as const;
  const stored = [on('2026-03-11', 3, row)];

  test('leaves its day, which is rebuilt', () => {
    const { days, dates } = mergeSessions(stored, [], counting('2026-03-11'), [claim]);
    expect(days).toEqual([on('2026-03-11', 3)]);
    expect([...dates]).toEqual(['2026-03-11']);
  });

  test('and sends again stays as it was', () => {
    const same = { ...again, receivedMs: claim.receivedMs };
    expect(mergeSessions(stored, [same], counting('2026-03-11'), [claim]).days).toEqual([]);
  });

  test('is one that ends on the requested days, in the zone of the request', () => {
    const only = (from: string, zone: string | null) => ({ ...claim, days: { from, to: from }, zone });
    const left = (from: string, zone: string | null) =>
      mergeSessions(stored, [], counting('2026-03-11'), [only(from, zone)]).days.length === 1;
    expect(left('2026-03-11', null)).toBe(true);
    expect(left('2026-03-10', null)).toBe(false);
    expect(left('2026-03-10', 'Pacific/Honolulu')).toBe(true);
    expect(left('2026-03-11', 'Pacific/Honolulu')).toBe(false);
  });

  test('is never one that arrived after the claim or with it', () => {
    for (const receivedMs of [claim.receivedMs, claim.receivedMs + 1])
      expect(
        mergeSessions([on('2026-03-11', 3, { ...row, receivedMs })], [], counting('2026-03-11'), [claim]).days,
      ).toEqual([]);
  });
});

const reportArbitrary = fc.record({
  start: fc.nat({ max: 2 }),
  asleepMinutes: fc.constantFrom(300, 400),
  /** Whether its day is retracted first, as a full response does. */
  claims: fc.boolean(),
  interim: fc.boolean(),
  sourceId: fc.constantFrom(undefined, 'a', 'b'),
});

test('sessions that arrive together are merged as if they had arrived one by one', () => {
  const [date, startMs] = ['2026-03-11', Date.parse('2026-03-10T22:00:00Z')];
  fc.assert(
    fc.property(fc.array(reportArbitrary, { maxLength: 8 }), fc.nat({ max: 8 }), (reports, cut) => {
      const incoming = reports.map(({ start, asleepMinutes, interim, sourceId }, at) => ({
        ...sleepRow(0, new Date(startMs + start * 60_000).toISOString(), 480, { asleepMinutes }),
        ...(interim ? { interim } : {}),
        ...(sourceId ? { sourceId } : {}),
        id: `slp_${sourceId ?? start}`,
        receivedMs: at + 1,
      }));
      const claims = reports.flatMap((report, at): SessionClaim[] =>
        report.claims
          ? [{ device: 0, receivedMs: at + 1, days: { from: date, to: date }, zone: null, by: 'endMs' }]
          : [],
      );
      const work = (stored: SleepRow[], from: number, to: number): SleepRow[] => {
        const own = claims.filter(({ receivedMs }) => receivedMs > from && receivedMs <= to);
        const { now } = mergeSessions([on(date, 1, ...stored)], incoming.slice(from, to), counting(date), own);
        return now.get(date)?.sessions ?? [];
      };
      const shown = (rows: SleepRow[]) => ({
        stored: rows.map((each) => ({ ...each, receivedMs: 0 })),
        best: deduplicateSessions(rows, compareAsEqual).map(({ id }) => id),
      });
      const oneByOne = incoming.reduce<SleepRow[]>((stored, _each, at) => work(stored, at, at + 1), []);
      expect(shown(work(work([], 0, cut), cut, incoming.length))).toEqual(shown(oneByOne));
    }),
    { numRuns: 500 },
  );
});
