import { describe, expect, test } from 'vitest';
import { changedDay } from '../../../../shared/domain/ingest/day-change.ts';
import { unpackNormalizedRows } from '../../../../shared/store/codec/normalized-day.ts';

/** Device 0 states 8,432 steps and 27,120 seconds asleep; device 2 has 7,911 steps of its samples and states 155.2 lb. */
const version1 = '210200420140e0062c02011f00e0a70302c6010000000020b101831902011001a01802c40e';
const stored = { date: '2026-03-10', packed: Buffer.from(version1, 'hex'), revision: 4 };

describe('a day stored in an older layout', () => {
  test('is not written again for what it says already', () => {
    const { changed } = changedDay('2026-03-10', stored, 0, [
      (day) => day.state('steps', 8_432, undefined),
      (day) => day.state('asleep', 452, { value: 27_120, unit: 's' }),
    ]);
    expect(changed).toBeUndefined();
  });

  test('is written again for anything new, in the layout of today', () => {
    const { changed } = changedDay('2026-03-10', stored, 2, [(day) => day.derive('steps', 7_912)]);
    expect(changed).toMatchObject({ date: '2026-03-10', revision: 4, metrics: ['steps'] });
    expect(changed?.packed[0]).toBe(0x23);
  });
});

describe('a stated total', () => {
  test('stays above what samples come to', () => {
    const { changed } = changedDay('2026-03-10', stored, 0, [(day) => day.derive('steps', 9_000)]);
    expect(changed).toBeUndefined();
  });
});

describe('a device that no longer says anything of a day', () => {
  test('leaves no trace in it', () => {
    const { changed: said } = changedDay('2026-03-10', stored, 5, [(day) => day.derive('steps', 10)]);
    const before = { date: '2026-03-10', packed: said?.packed ?? new Uint8Array(), revision: 5 };
    expect(unpackNormalizedRows(before.packed).map(({ device }) => device)).toEqual([0, 2, 5]);
    const { changed: after } = changedDay('2026-03-10', before, 5, [(day) => day.derive('steps', undefined)]);
    expect(unpackNormalizedRows(after?.packed ?? new Uint8Array()).map(({ device }) => device)).toEqual([0, 2]);
  });
});
