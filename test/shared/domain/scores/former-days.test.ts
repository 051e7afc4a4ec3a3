import { expect, test } from 'vitest';
import { firstFormer } from '../../../../shared/domain/scores/former-days.ts';
import type { ScoreChange } from '../../../../shared/domain/scores/score-changes.ts';
import { packDay } from '../../../../shared/store/scores.ts';

const packed = packDay({ scores: new Map(), without: new Map(), computedMs: 1 }, 1);
const change = (date: string, former: boolean): ScoreChange => ({
  day: { date, current: packed, former: former ? packed : undefined },
  told: [],
});

test('what is held of the formulas before begins with the first day that any step has written it to', () => {
  const changes = [change('2026-03-01', false), change('2026-03-02', true), change('2026-03-03', true)];
  expect(firstFormer(changes, null)).toBe('2026-03-02');
  expect(firstFormer(changes, '2026-03-09')).toBe('2026-03-02');
  expect(firstFormer(changes, '2026-02-09')).toBe('2026-02-09');
  expect(firstFormer(changes.slice(0, 1), null)).toBeNull();
});
