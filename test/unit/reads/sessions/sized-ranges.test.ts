// Ranges without a stated maximum are limited by size, and the error names the longest that fits.
import { expect, test } from 'vitest';
import type { NoScore } from '../../../../shared/catalog/score-states.ts';
import { fitsAsText } from '../../../../shared/http/response-size.ts';
import { addDays, datesInRange } from '../../../../shared/platform/time/local-day.ts';
import type { ScoreResult } from '../../../../shared/reads/scores/read-scores.ts';
import { createScoreHistoryPresenter } from '../../../../shared/reads/scores/score-history.ts';
import { findAllSessions } from '../../../../shared/reads/sessions/find-sessions.ts';
import { createUser } from '../../../../shared/users/users.ts';
import { memoryDeps } from '../../../harness/memory-deps.ts';
import { deviceRow } from '../../../harness/stored-data.ts';

const caller = { kind: 'api_key', account: 'acc_01k9p3w0b1c3e5g7j9m1p3r5t7', env: 'live', form: 1 } as const;
const range = { from: '2016-03-15', to: '2026-03-14' };
const names = { from: 'start_date', to: 'end_date' };

test('a range with too many sessions is read no further, and the error names the longest that fits', async () => {
  const { deps } = memoryDeps();
  const user = (await createUser(deps, caller, { timezone: null })).id;
  const device = deviceRow({ id: 'dev_1', ordinal: 0 });
  let daysRead = 0;
  const reader = {
    async *read() {
      for (let date = range.to; date >= range.from; date = addDays(date, -1)) {
        daysRead++;
        const [startMs, endMs] = [Date.parse(`${date}T00:00:00Z`), Date.parse(`${date}T06:00:00Z`)];
        yield { date, revision: 1, sessions: [{ id: `slp_${date}`, device: 0, startMs, endMs, receivedMs: endMs }] };
      }
    },
    devices: () => [device],
  };
  const find = (from: string) =>
    findAllSessions(deps, caller, user, { from, to: range.to, names, maxDays: 3_653 }, reader, 30);
  await expect(find(range.from)).rejects.toMatchObject({
    code: 'invalid_request',
    message: 'The range has more than 30 sessions; the longest range that fits is 2026-02-14 to 2026-03-14.',
    details: { issues: [{ path: 'start_date' }] },
  });
  expect(daysRead).toBeLessThan(40);
  expect((await find('2026-02-14')).sessions).toHaveLength(29);
});

const missing: NoScore = { status: 'missing', reason: 'log_incomplete' };
const history = createScoreHistoryPresenter([
  'sleep_score',
  'recovery_score',
  'strain_score',
  'nutrition_score',
  'stress_score',
  'energy_reserve_score',
]);
const render = (to: string) => {
  const dates = datesInRange(range.from, to);
  const ids = [
    'sleep_score',
    'recovery_score',
    'strain_score',
    'nutrition_score',
    'stress_score',
    'energy_reserve_score',
  ] as const;
  const columns = ids.map((id) => ({ id, entries: dates.map((): ScoreResult | NoScore => missing) }));
  const result = { range: { from: range.from, to }, zone: null, dates, columns };
  return history.render(result, { start_date: range.from, end_date: to, include_missing: true });
};

test('a score history with the reasons of ten years is refused, and the range that the error names fits', () => {
  const to = addDays(range.from, 3_333 - 1);
  expect(() => render(range.to)).toThrow(`the longest range that fits is ${range.from} to ${to}.`);
  const bytes = Buffer.from(JSON.stringify(render(to)));
  expect(fitsAsText(bytes, new Headers({ 'content-type': 'application/json' }))).toBe(true);
});
