import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MobileScope } from '../../../../shared/catalog/mobile-scopes.ts';
import { personaIds, type SandboxPersona } from '../../../../shared/catalog/sandbox.ts';
import { addDays, datesInRange, localDate } from '../../../../shared/platform/time/local-day.ts';
import { zoneOffsetMinutes } from '../../../../shared/platform/time/zone-offsets.ts';
import { readUpload } from '../../../../shared/providers/phone/read-upload.ts';
import { buildSandboxDay, buildSandboxUploads } from '../../../../shared/sandbox/life/sandbox-day.ts';
import { makeId } from '../../../../shared/system/ids.ts';
import { type RunScale, runOptions } from '../../../harness/property-runs.ts';

const scopes = MobileScope.options;
const minuteMs = 60_000;
const userId = fc.uint8Array({ minLength: 10, maxLength: 10 }).map((bytes) => makeId('user', 1_780_000_000_000, bytes));
const date = fc.integer({ min: 0, max: 1_500 }).map((days) => addDays('2025-01-01', days));
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Pacific/Auckland',
  'Pacific/Honolulu',
  'Pacific/Kiritimati',
  'Australia/Lord_Howe',
];
const timezone = fc.constantFrom(...zones, null);
const persona = fc.constantFrom(...personaIds);
const life = fc.record({ userId, persona, timezone, date });
type Life = { userId: string; persona: SandboxPersona; timezone: string | null; date: string };
type Day = ReturnType<typeof buildSandboxDay>;
const total = (day: Day['ring'], metric: string): number | undefined =>
  day.daily.find((each) => each.metric === metric)?.value;
const sumOf = (day: Day['ring'], metric: string): number =>
  day.samples.filter((each) => each.metric === metric).reduce((sum, { value }) => sum + value, 0);
const beats = (day: Day) => day.ring.samples.filter(({ metric }) => metric === 'heart_rate');
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
function correlation(pairs: [number, number][]): number {
  const [a, b] = [mean(pairs.map(([x]) => x)), mean(pairs.map(([, y]) => y))];
  const spread = (of: number[], centre: number) => Math.sqrt(mean(of.map((value) => (value - centre) ** 2)));
  const both = mean(pairs.map(([x, y]) => (x - a) * (y - b)));
  return (
    both /
    (spread(
      pairs.map(([x]) => x),
      a,
    ) *
      spread(
        pairs.map(([, y]) => y),
        b,
      ))
  );
}
const simulatedUsers = new Map<SandboxPersona, Day[][]>();
/** Returns the days of eight users. The longest series is generated once. */
function simulateUsers(who: SandboxPersona, days: number): Day[][] {
  const known = simulatedUsers.get(who);
  if (known?.[0] && known[0].length >= days) return known.map((userDays) => userDays.slice(0, days));
  const dates = datesInRange('2026-01-01', addDays('2026-01-01', days - 1));
  const generated = Array.from({ length: 8 }, (_none, i) =>
    dates.map((date) => buildSandboxDay({ userId: `usr_${who}${i}`, persona: who, timezone: 'Europe/Berlin', date })),
  );
  simulatedUsers.set(who, generated);
  return generated;
}

function minutesIn(offset: string): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

export function testSandboxDays(tries: RunScale): void {
  const seriesDays = tries.share < 1 ? 30 : 60;
  const holds = (rule: (day: Day, life: Life) => void, who = life, all = 100) =>
    fc.assert(
      fc.property(who, (each) => {
        rule(buildSandboxDay(each), each);
      }),
      runOptions(tries, all),
    );

  describe('every generated day', () => {
    test('is the same at any time of generation', () =>
      holds(
        (day, each) => {
          expect(buildSandboxDay({ ...each })).toEqual(day);
        },
        life,
        40,
      ));

    test('is accepted by the reader of phone uploads without a rejection', () =>
      holds((day) => {
        for (const body of [day.ring, day.phone, day.watch])
          expect(readUpload(body, { scopes, nowMs: Date.parse('2030-01-01') }).rejected.count).toBe(0);
      }));

    test('has stages that add up to the sleep, and sleep and time awake that add up to the time in bed', () =>
      holds(({ ring, watch }) => {
        for (const sleep of [...ring.sleep, ...watch.sleep]) {
          expect(sleep.deep_minutes + sleep.light_minutes + sleep.rem_minutes).toBe(sleep.asleep_minutes);
          expect(sleep.asleep_minutes + sleep.awake_minutes).toBe(sleep.in_bed_minutes);
          expect(Date.parse(sleep.end) - Date.parse(sleep.start)).toBe(sleep.in_bed_minutes * minuteMs);
          expect(Math.min(sleep.deep_minutes, sleep.light_minutes, sleep.rem_minutes)).toBeGreaterThanOrEqual(0);
        }
      }));

    test('has a total energy that equals its active plus its resting energy', () =>
      holds(({ ring, phone }) => {
        if (phone.samples.length === 0) return;
        expect(total(phone, 'total_calories')).toBe(sumOf(phone, 'active_calories') + sumOf(phone, 'resting_energy'));
        for (const workout of ring.workouts)
          expect(sumOf(phone, 'active_calories')).toBeGreaterThanOrEqual(workout.calories);
        const [active, resting] = [total(ring, 'active_calories'), total(ring, 'resting_energy')];
        if (active !== undefined && resting !== undefined) expect(total(ring, 'total_calories')).toBe(active + resting);
      }));

    test('has a distance that matches its steps', () =>
      holds(({ phone }, { persona: who }) => {
        const steps = sumOf(phone, 'steps');
        if (steps === 0) return;
        expect((1000 * sumOf(phone, 'distance')) / steps).toBeGreaterThan(who === 'child' ? 0.5 : 0.6);
        expect((1000 * sumOf(phone, 'distance')) / steps).toBeLessThan(1.3);
      }));

    test('has an energy intake that matches its nutrients', () =>
      holds(({ phone }) => {
        const eaten = total(phone, 'dietary_energy');
        if (eaten === undefined) return;
        const [protein = 0, carbohydrates = 0, fat = 0] = ['protein', 'carbohydrates', 'fat'].map((each) =>
          total(phone, each),
        );
        expect(Math.abs(eaten - 4 * protein - 4 * carbohydrates - 9 * fat)).toBeLessThan(5);
        expect(total(phone, 'saturated_fat')).toBeLessThan(fat);
        expect((total(phone, 'sugar') ?? 0) + (total(phone, 'fiber') ?? 0)).toBeLessThan(carbohydrates);
      }));

    test('has every record on the day itself by the local clock, so that no day spills into another', () =>
      holds(({ ring, phone, watch }, { persona: who, timezone: zone, date: day }) => {
        const dayOf = (at: string, offset: string | undefined) => {
          const ms = Date.parse(at);
          const stated = offset === undefined ? null : minutesIn(offset);
          return localDate(ms, { zone, by: 'recorded' }, { offsetMinutes: stated });
        };
        const seen = new Set([
          ...[...ring.samples, ...phone.samples, ...watch.samples].map(({ start, utc_offset }) =>
            dayOf(start, utc_offset),
          ),
          ...[...ring.sleep, ...watch.sleep].map(({ end, utc_offset }) => dayOf(end, utc_offset)),
          ...[...ring.workouts, ...watch.workouts].map(({ start, utc_offset }) => dayOf(start, utc_offset)),
          ...[...ring.daily, ...phone.daily, ...watch.daily].map((each) => each.date),
        ]);
        if (who === 'empty') expect([...seen]).toEqual([]);
        else if (who !== 'sparse') expect([...seen]).toEqual([day]);
        else expect([...seen].filter((each) => each !== day)).toEqual([]);
      }));

    test('never overlaps sleep and workouts, and has a resting heart rate below those awake and in workouts', () =>
      holds((day) => {
        const { ring } = day;
        const asleep = ring.sleep.map(({ start, end }) => [Date.parse(start), Date.parse(end)] as const);
        for (const { start, end, heart_rate, avg_heart_rate, max_heart_rate } of ring.workouts) {
          for (const [from, to] of asleep) expect(Date.parse(end) <= from || Date.parse(start) >= to).toBe(true);
          const bpm = heart_rate.map((each) => each.bpm);
          expect([avg_heart_rate, max_heart_rate]).toEqual([Math.round(mean(bpm)), Math.max(...bpm)]);
          expect(avg_heart_rate).toBeGreaterThan((total(ring, 'resting_heart_rate') ?? 0) + 25);
        }
        const resting = total(ring, 'resting_heart_rate');
        if (resting === undefined) return;
        const at = beats(day).map(({ start, value }) => ({ ms: Date.parse(start), value }));
        const inBed = at.filter(({ ms }) => asleep.some(([from, to]) => ms >= from && ms < to));
        const up = at.filter((each) => !inBed.includes(each));
        expect(mean(inBed.map(({ value }) => value))).toBeLessThan(mean(up.map(({ value }) => value)) - 5);
        expect(total(ring, 'min_heart_rate')).toBe(Math.min(...at.map(({ value }) => value)));
      }));

    test('has a heart rate every five minutes from start to end, also when clocks change', () => {
      const on = (each: string) =>
        beats(buildSandboxDay({ userId: 'usr_x', persona: 'average', timezone: 'Europe/Berlin', date: each })).length;
      expect([on('2026-03-28'), on('2026-03-29'), on('2026-10-25')]).toEqual([288, 276, 300]);
    });

    test('ends now if it is today, and is then the beginning of the complete day', () =>
      fc.assert(
        fc.property(life, fc.integer({ min: 0, max: 26 * 60 }), (each, minutes) => {
          const untilMs = Date.parse(`${each.date}T00:00:00Z`) - 60 * minuteMs + minutes * minuteMs;
          const [part, complete] = [buildSandboxDay({ ...each, untilMs }), buildSandboxDay(each)];
          for (const device of ['ring', 'phone', 'watch'] as const) {
            for (const { start, end } of part[device].samples)
              expect(Date.parse(end ?? start)).toBeLessThanOrEqual(untilMs);
            expect(new Set(part[device].samples.map((one) => JSON.stringify(one)))).toEqual(
              new Set(
                complete[device].samples
                  .filter(({ metric, start, end }) => {
                    // Stress is derived from the heart rate of five minutes.
                    if (metric === 'heart_rate' || metric === 'stress_score')
                      return Date.parse(start) + 5 * minuteMs <= untilMs;
                    const asleep = complete[device].sleep.find((sleep) => sleep.start <= start && start < sleep.end);
                    return Date.parse(asleep?.end ?? end ?? start) <= untilMs;
                  })
                  .map((one) => JSON.stringify(one)),
              ),
            );
            for (const { metric, value } of part[device].daily)
              if (!/heart|latency/.test(metric))
                expect(value).toBeLessThanOrEqual(total(complete[device], metric) ?? 0);
            for (const { end } of [...part[device].sleep, ...part[device].workouts])
              expect(Date.parse(end)).toBeLessThanOrEqual(untilMs);
          }
          const { phone } = part;
          if (phone.samples.length > 0 && total(phone, 'total_calories') !== undefined)
            expect(total(phone, 'total_calories')).toBe(
              sumOf(phone, 'active_calories') + sumOf(phone, 'resting_energy'),
            );
        }),
        runOptions(tries, 50),
      ));
  });

  describe('a simulated user', () => {
    test('has the same days when several dates are generated together or one by one', () => {
      const who = { userId: 'usr_y', persona: 'average', timezone: 'Asia/Tokyo' } as const;
      const dates = datesInRange('2026-05-01', '2026-05-07');
      const days = dates.map((each) => buildSandboxDay({ ...who, date: each }));
      const week = buildSandboxUploads({ ...who, dates, untilMs: Date.parse('2026-06-01') });
      expect(week.ring.samples).toEqual(days.flatMap(({ ring }) => ring.samples));
      expect(week.phone.daily).toEqual(days.flatMap(({ phone }) => phone.daily));
      const starts = week.ring.samples.map((each) => JSON.stringify(each));
      expect(new Set(starts).size).toBe(starts.length);
    });

    test('shows a hard day and a short night on the next morning', () => {
      const loads: [number, number][] = [];
      const pulses: [number, number][] = [];
      const nights: [number, number][] = [];
      for (const userDays of simulateUsers('average', seriesDays)) {
        const usual = mean(userDays.map(({ ring }) => total(ring, 'heart_rate_variability_rmssd') ?? 0));
        const pulse = mean(userDays.map(({ ring }) => total(ring, 'resting_heart_rate') ?? 0));
        const burned = mean(userDays.map(({ phone }) => sumOf(phone, 'active_calories')));
        for (const [at, day] of userDays.entries()) {
          const before = userDays[at - 1];
          if (!before) continue;
          const load = sumOf(before.phone, 'active_calories') / burned;
          loads.push([load, (total(day.ring, 'heart_rate_variability_rmssd') ?? 0) / usual]);
          pulses.push([load, (total(day.ring, 'resting_heart_rate') ?? 0) - pulse]);
          nights.push([day.ring.sleep[0]?.asleep_minutes ?? 0, (total(day.ring, 'resting_heart_rate') ?? 0) - pulse]);
        }
      }
      expect(correlation(loads)).toBeLessThan(-0.4);
      expect(correlation(pulses)).toBeGreaterThan(0.4);
      expect(correlation(nights)).toBeLessThan(-0.1);
    });

    test('has stress levels from 1 to 100 while awake and at rest, and none during workouts', () => {
      for (const { ring } of simulateUsers('athlete', 14).flat()) {
        const levels = ring.samples.filter(({ metric }) => metric === 'stress_score');
        for (const { start, value } of levels) {
          expect(Number.isInteger(value) && value >= 1 && value <= 100).toBe(true);
          expect([...ring.sleep, ...ring.workouts].some((each) => each.start <= start && start < each.end)).toBe(false);
        }
        expect(levels.length).toBeGreaterThan(30);
        expect(mean(levels.map(({ value }) => value))).toBeLessThan(60);
      }
    });

    test('has weather in outdoor workouts, a pool length in swims, and an intensity in each', () => {
      const workouts = simulateUsers('athlete', 14).flatMap((days) => days.flatMap(({ ring }) => ring.workouts));
      expect(new Set(workouts.map(({ type }) => type))).toContain('swimming');
      for (const workout of workouts) {
        const { strain, avg_mets, weather_temperature_c, weather_humidity_pct } = workout;
        const { swimming_stroke_count, swimming_lap_length_m } = workout;
        expect([strain, avg_mets].every((value) => typeof value === 'number' && value > 0)).toBe(true);
        const [weather, pool] = [
          [weather_temperature_c, weather_humidity_pct],
          [swimming_stroke_count, swimming_lap_length_m],
        ];
        const [present, absent] = workout.type === 'swimming' ? [pool, weather] : [weather, pool];
        expect(present.every((value) => typeof value === 'number')).toBe(true);
        expect(absent).toEqual([undefined, undefined]);
      }
      for (const { ring } of simulateUsers('sparse', 14).flat())
        for (const workout of ring.workouts) expect(workout).not.toHaveProperty('strain');
    });

    test('has a weight that drifts without jumps', () => {
      for (const userDays of simulateUsers('average', seriesDays)) {
        const kilos = userDays.map(({ phone }) => sumOf(phone, 'weight'));
        for (const [at, each] of kilos.entries())
          if (at > 0) expect(Math.abs(each - (kilos[at - 1] ?? 0))).toBeLessThan(0.7);
        expect(Math.max(...kilos) - Math.min(...kilos)).toBeGreaterThan(0.5);
      }
    });

    test('differs from another user, and one day from another', () =>
      fc.assert(
        fc.property(userId, userId, date, (one, other, day) => {
          fc.pre(one !== other);
          const generated = (who: string, when: string) =>
            JSON.stringify(beats(buildSandboxDay({ userId: who, persona: 'average', timezone: 'UTC', date: when })));
          expect(generated(one, day)).not.toBe(generated(other, day));
          expect(generated(one, day)).not.toBe(generated(one, addDays(day, 1)));
        }),
        runOptions(tries, 40),
      ));
  });

  describe('personas', () => {
    const weeks = (who: SandboxPersona) =>
      fc.record({ userId, timezone, first: date }).map(({ first, ...each }) =>
        datesInRange(first, addDays(first, 6)).map((day) => ({
          date: day,
          ...buildSandboxDay({ ...each, persona: who, date: day }),
        })),
      );
    const everyWeek = (who: SandboxPersona, rule: (week: ({ date: string } & Day)[]) => void) =>
      fc.assert(fc.property(weeks(who), rule), runOptions(tries, 20));

    test('all but sparse have a night, a resting heart rate and meals on each of seven days, and at least one workout', () => {
      for (const who of ['average', 'athlete', 'shift_worker', 'traveller'] as const)
        everyWeek(who, (week) => {
          for (const { ring, phone } of week) {
            expect(ring.sleep.filter(({ asleep_minutes }) => asleep_minutes > 180)).toHaveLength(1);
            expect(total(ring, 'resting_heart_rate')).toBeDefined();
            expect(total(phone, 'dietary_energy')).toBeGreaterThan(900);
          }
          expect(week.flatMap(({ ring }) => ring.workouts).length).toBeGreaterThan(0);
        });
    });

    test('an athlete has a lower heart rate, more variability and more training than average', () => {
      const facts = (who: SandboxPersona) => {
        const days = simulateUsers(who, 14).flat();
        return {
          pulse: mean(days.map(({ ring }) => total(ring, 'resting_heart_rate') ?? 0)),
          rmssd: mean(days.map(({ ring }) => total(ring, 'heart_rate_variability_rmssd') ?? 0)),
          minutes: mean(days.map(({ phone }) => total(phone, 'exercise') ?? 0)),
          burned: mean(days.map(({ phone }) => sumOf(phone, 'active_calories'))),
        };
      };
      const [average, athlete] = [facts('average'), facts('athlete')];
      expect(average.pulse - athlete.pulse).toBeGreaterThan(8);
      expect(athlete.rmssd / average.rmssd).toBeGreaterThan(1.5);
      expect(athlete.minutes / average.minutes).toBeGreaterThan(2);
      expect(athlete.burned / average.burned).toBeGreaterThan(1.3);
    });

    test('a shift worker sleeps by day on some days of any week, and by night on others', () =>
      everyWeek('shift_worker', (week) => {
        const wakesLate = week.map(({ ring, date: day }) => {
          const night = ring.sleep.find(({ asleep_minutes }) => asleep_minutes > 180);
          const first = ring.samples.find(({ metric }) => metric === 'heart_rate')?.start ?? day;
          return (Date.parse(night?.end ?? day) - Date.parse(first)) / 3_600_000 > 11.5;
        });
        expect(wakesLate.filter(Boolean).length).toBeGreaterThanOrEqual(3);
        expect(wakesLate.filter((late) => !late).length).toBeGreaterThanOrEqual(3);
      }));

    test('a traveller is in two time zones or more in any week, hours apart, with the offset in every record', () =>
      everyWeek('traveller', (week) => {
        const offsets = new Set<number>();
        for (const { ring, phone } of week)
          for (const { utc_offset } of [...ring.samples, ...phone.samples, ...ring.sleep, ...ring.workouts])
            offsets.add(minutesIn(utc_offset ?? 'missing'));
        expect(Math.max(...offsets) - Math.min(...offsets)).toBeGreaterThanOrEqual(180);
        expect([...offsets].some(Number.isNaN)).toBe(false);
      }));

    test('a user who stays at home leaves the zone to the profile', () => {
      const day = buildSandboxDay({ userId: 'usr_z', persona: 'average', timezone: 'Asia/Tokyo', date: '2026-05-05' });
      expect([...day.ring.samples, ...day.phone.samples].filter(({ utc_offset }) => utc_offset !== undefined)).toEqual(
        [],
      );
      expect(Date.parse(beats(day)[0]?.start ?? '')).toBe(
        Date.parse('2026-05-05T00:00:00Z') - zoneOffsetMinutes('Asia/Tokyo', 0) * minuteMs,
      );
    });

    test('sparse misses one day of seven and the ring on two more, and has no weight', () =>
      everyWeek('sparse', (week) => {
        expect(week.filter(({ ring }) => ring.samples.length === 0)).toHaveLength(3);
        expect(week.filter(({ phone }) => phone.samples.length === 0)).toHaveLength(1);
        const metrics = new Set(
          week.flatMap(({ ring, phone }) => [...ring.samples, ...phone.samples]).map((s) => s.metric),
        );
        expect(metrics.has('weight') || metrics.has('blood_oxygen')).toBe(false);
        expect(week.filter(({ phone }) => total(phone, 'dietary_energy') === undefined).length).toBeGreaterThanOrEqual(
          3,
        );
      }));
  });
}
