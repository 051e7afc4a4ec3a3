import { beforeAll, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { type System, startSystem } from '../harness/system.ts';
import { createTestUser, sleepUpload, watch } from '../harness/test-user.ts';

let system: System;
let account: NewAccount;
beforeAll(async () => {
  system = await startSystem();
  account = await system.account();
});

test('a short night is the main sleep and has a low score; a nap of the same length is not and has none', async () => {
  const on = '2026-03-10';
  const sleepOf = async (...[from, to]: [from: number, to: number]) => {
    const user = await createTestUser(system, account.live_key);
    await user.send(watch, sleepUpload(from, to, 140));
    const list = await user.get(`sleep?from_date=${on}&to_date=${on}`);
    const scores = await user.get(`scores?from_date=${on}&to_date=${on}`);
    const explanation = await user.get(`daily/${on}/sleep_score/explanation`);
    return {
      isMain: list.body.data[0].is_main_sleep,
      score: scores.body.series.sleep_score[0],
      explained: explanation.body.data,
    };
  };
  const night = await sleepOf(1, 3.5);
  expect(night).toMatchObject({ isMain: true, explained: { pending: false, status: { status: 'ready' } } });
  expect(night.explained.factors[0]).toMatchObject({ name: 'duration', input: 'asleep', value: 140 });
  expect(night.score).toBeGreaterThanOrEqual(0);
  expect(night.score).toBeLessThan(50);
  const nap = await sleepOf(13, 15.5);
  expect(nap).toMatchObject({
    isMain: false,
    score: null,
    explained: { status: { status: 'missing', reason: 'no_main_sleep' } },
  });
});
