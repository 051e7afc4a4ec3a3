// The demo page draws the same week with a sandbox key of either form.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type DemoDays,
  demoForms,
  detectForm,
  toDemoUser,
} from '../../functions/api/guides/browser/demo/demo-forms.ts';
import { form2ScoreIds } from '../../shared/catalog/score-table.ts';
import { addDays } from '../../shared/platform/time/local-day.ts';
import type { ApiForm } from '../../shared/system/caller.ts';
import { createKeyInForm } from '../harness/form-key.ts';
import type { ApiResponse } from '../harness/send-request.ts';
import { type System, startSystem } from '../harness/system.ts';

let system: System;
let keys: Record<ApiForm, string>;
let userId: string;

beforeAll(async () => {
  system = await startSystem();
  const { account_id, sandbox_key } = await system.account({ form: 1 });
  keys = { 1: sandbox_key, 2: await createKeyInForm(system.host.deps, account_id, 2, 'sandbox') };
  userId = await system.user(sandbox_key, { external_ref: 'demo-sparse', profile: { sandbox_persona: 'sparse' } });
  await system.settle();
  system.clock.advance(61_000);
  await system.settle();
});
afterAll(() => system.stop());

async function get(form: ApiForm, path: string): Promise<ApiResponse['body']> {
  const response = await system.call('GET', `/${path}`, { token: keys[form] });
  expect([path, response.status]).toEqual([path, 200]);
  return response.body;
}

test.each([1, 2] as const)(
  'a key of Form %i is recognized by the user list, and finds the user again',
  async (form) => {
    expect(detectForm(await get(form, 'v1/users'))).toBe(form);
    const { data } = await get(form, demoForms[form].buildSearchPath('demo-sparse'));
    const known = { id: userId, external_ref: 'demo-sparse', timezone: null, last_score_at: expect.any(String) };
    expect(data.map(toDemoUser)).toEqual([expect.objectContaining(known)]);
    expect(toDemoUser(await get(form, `v1/users/${userId}`))).toMatchObject(known);
    expect((await get(form, demoForms[form].buildSearchPath('demo-nobody'))).data).toEqual([]);
  },
);

test('the days, the latest scores and their factors are the same', async () => {
  const today = new Date(system.clock.now()).toISOString().slice(0, 10);
  const range = { first: addDays(today, -7), today, metrics: ['steps', 'asleep', 'resting_heart_rate'] as const };
  const week = (form: ApiForm) =>
    demoForms[form].readDemoDays((path) => get(form, `v1/users/${userId}/${path}`), range);
  const [rows, columns] = await Promise.all([week(1), week(2)]);
  expect(rows.daily).toEqual(columns.daily);
  expect(rows.daily.series.steps).toHaveLength(8);
  expect(rows.daily.series.asleep).toContain(null);
  const { dates, to_date } = columns.scores;
  expect([rows.scores.dates, rows.scores.to_date]).toEqual([dates, to_date]);
  expect(form2ScoreIds.filter((id) => columns.scores.latest[id]).length).toBeGreaterThan(1);
  for (const id of form2ScoreIds) {
    const [latest, expected] = [rows.scores.latest[id], columns.scores.latest[id]];
    expect([id, latest]).toEqual([id, expected === null ? null : expect.objectContaining(expected ?? {})]);
    const at = dates.indexOf(String(expected?.date));
    const newest = columns.scores.factors?.[id]?.[at];
    expect(rows.scores.factors?.[id]).toEqual(dates.map((_date, day) => (day === at ? newest : null)));
    const ofScore = ({ history }: DemoDays) => history.filter(({ type }) => type === id);
    expect(ofScore(rows)).toEqual(ofScore(columns));
  }
});
