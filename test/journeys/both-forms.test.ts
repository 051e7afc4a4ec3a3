// Reads a sandbox user over HTTP with a key of each form and compares every number.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays } from '../../shared/platform/time/local-day.ts';
import type { ApiForm } from '../../shared/system/caller.ts';
import { createKeyInForm } from '../harness/form-key.ts';
import { type System, startSystem } from '../harness/system.ts';

let system: System;
let keys: Record<ApiForm, string>;
beforeAll(async () => {
  system = await startSystem();
  const { account_id, sandbox_key } = await system.account({ form: 1 });
  keys = { 1: sandbox_key, 2: await createKeyInForm(system.host.deps, account_id, 2, 'sandbox') };
});
afterAll(() => system.stop());

type Json = Record<string, unknown>;

async function readBothForms(userId: string, form1: string, form2: string) {
  const read = async (form: ApiForm, path: string) => {
    const response = await system.call('GET', `/v1/users/${userId}/${path}`, { token: keys[form] });
    expect([path, response.status]).toEqual([path, 200]);
    return response.body;
  };
  return [await read(1, form1), await read(2, form2)] as const;
}

describe.each(['athlete', 'traveller', 'device_swap'])('the %s persona', (persona) => {
  let userId: string;
  let range1: string;
  let range2: string;

  beforeAll(async () => {
    userId = await system.user(keys[1], { timezone: 'America/New_York', profile: { sandbox_persona: persona } });
    await system.settle();
    system.clock.advance(61_000);
    await system.settle();
    const today = new Date(system.clock.now()).toISOString().slice(0, 10);
    const first = addDays(today, -40);
    range1 = `start_date=${first}&end_date=${today}`;
    range2 = `from_date=${first}&to_date=${today}`;
  });

  test.each(['metric', 'imperial'])('has the same days in %s units, with the same sources', async (units) => {
    const more = `&unit_system=${units}&include_sources=true`;
    const [rows, columns] = await readBothForms(userId, `daily?${range1}${more}`, `daily?${range2}${more}`);
    const cells = Object.entries<(number | null)[]>(columns.series).flatMap(([metric, values]) =>
      values.flatMap((value, at) =>
        value === null
          ? []
          : [
              {
                date: columns.dates[at],
                metric,
                value,
                unit: columns.units[metric],
                source: columns.sources[metric][at],
              },
            ],
      ),
    );
    expect(cells.length).toBeGreaterThan(100);
    const inOrder = (some: Json[]) => some.map((cell) => JSON.stringify(cell)).sort();
    expect(inOrder(rows.data)).toEqual(inOrder(cells));
  });

  test('has the same nights, each with the vitals of its day', async () => {
    const [flat, list] = await readBothForms(
      userId,
      `sleep?${range1}&include_sources=true`,
      `sleep?${range2}&include_sources=true`,
    );
    const [, daily] = await readBothForms(userId, `sleep?${range1}`, `daily?${range2}&include_sources=true`);
    expect(flat.data.length).toBeGreaterThan(4);
    const vitals = Object.keys(flat.data[0]).filter((name) => /^sleep_(?!efficiency)/.test(name));
    expect(vitals).toHaveLength(7);
    const devicesOn = (date: unknown) =>
      Object.fromEntries(
        vitals.flatMap((vital) => {
          const source = daily.sources[vital][daily.dates.indexOf(date)];
          return source ? [[vital, { provider: source.provider, device_id: source.device_id }]] : [];
        }),
      );
    expect(Object.keys(devicesOn(list.data.find((night: Json) => night['is_main_sleep']).date))).not.toEqual([]);
    expect(flat.data.toReversed().map((night: Json) => night)).toEqual(
      list.data.map((night: Json) => ({
        id: night['id'],
        date: night['date'],
        is_main_sleep: night['is_main_sleep'],
        start: night['start_at'],
        end: night['end_at'],
        utc_offset: night['utc_offset'],
        asleep: night['asleep_minutes'],
        time_awake: night['awake_minutes'],
        light_sleep: night['light_minutes'],
        deep_sleep: night['deep_minutes'],
        REM: night['rem_minutes'],
        restorative_sleep: expect.toSatisfy((minutes) => minutes === null || typeof minutes === 'number'),
        time_in_bed: night['in_bed_minutes'],
        sleep_efficiency: night['efficiency_pct'],
        ...Object.fromEntries(
          vitals.map((vital) => [
            vital,
            night['is_main_sleep'] ? daily.series[vital][daily.dates.indexOf(night['date'])] : null,
          ]),
        ),
        source: night['source_detail'],
        vital_sources: night['is_main_sleep'] ? devicesOn(night['date']) : {},
      })),
    );
    for (const [at, night] of flat.data.toReversed().entries())
      expect(Math.round((Date.parse(night.end) - Date.parse(night.start)) / 60_000)).toBe(
        list.data[at].duration_minutes,
      );
  });

  test('has the same workouts, each with the minutes of its zones', async () => {
    const [flat, list] = await readBothForms(userId, `workouts?${range1}&per_page=100`, `workouts?${range2}&limit=100`);
    expect(flat.meta.total).toBe(list.data.length);
    for (const [at, row] of flat.data.toReversed().entries()) {
      const { id, type, source_type, start_at, end_at, utc_offset, duration_minutes } = list.data[at];
      const { calories, distance_km, avg_heart_rate, max_heart_rate } = list.data[at];
      const [, detail] = await readBothForms(userId, 'scores', `workouts/${id}`);
      const zones = detail.heart_rate?.zones.map(({ zone, minutes }: { zone: number; minutes: number }) => [
        `zone_${zone}`,
        minutes,
      ]);
      expect(row).toEqual({
        id,
        sport_type: type,
        source_type,
        start: start_at,
        end: end_at,
        utc_offset,
        duration: duration_minutes,
        distance: distance_km,
        active_calories: calories,
        heart_rate_avg: avg_heart_rate,
        heart_rate_max: max_heart_rate,
        heart_rate_zones: zones ? Object.fromEntries(zones) : null,
        elevation_gain: detail.metrics.elevation_meters,
      });
    }
  });

  test('has the same scores, daily and current, with the same factors', async () => {
    const [rows, columns] = await readBothForms(userId, `scores/history?${range1}`, `scores?${range2}`);
    const five = rows.data.filter(({ type }: { type: string }) => type !== 'energy_reserve_score');
    const cells = Object.entries<(number | null)[]>(columns.series).flatMap(([type, values]) =>
      values.flatMap((value, at) => (value === null ? [] : [[columns.dates[at], type, value]])),
    );
    expect(cells.length).toBeGreaterThan(0);
    expect(five.map(({ date, type, value }: Json) => JSON.stringify([date, type, value])).sort()).toEqual(
      cells.map((cell) => JSON.stringify(cell)).sort(),
    );
    const [current, explained] = await readBothForms(userId, 'scores', 'scores?include_factors=true');
    for (const { type, date, value, factors } of current.data) {
      if (type === 'energy_reserve_score') continue;
      expect([type, explained.latest[type].date, explained.latest[type].value]).toEqual([type, date, value]);
      expect(factors).toEqual(explained.factors[type][explained.dates.indexOf(date)]);
    }
    expect(current.data.length).toBeGreaterThan(2);
  });
});
