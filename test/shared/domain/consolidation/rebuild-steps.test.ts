import { beforeEach, describe, expect, test } from 'vitest';
import { patchConfiguration } from '../../../../shared/domain/consolidation/configuration.ts';
import type { Table } from '../../../../shared/engine/ports.ts';
import { addDays } from '../../../../shared/model/local-day.ts';
import { decodeCanonicalDay } from '../../../../shared/store/codec/canonical-day.ts';
import { dayRows } from '../../../../shared/store/days.ts';
import { stateRows } from '../../../../shared/store/states.ts';
import { memoryTable } from '../../../harness/memory-table.ts';
import { type Gadget, type RacedUser, raceUser } from '../../../harness/raced-user.ts';
import { write } from '../../../harness/write-person.ts';

const watch: Gadget = { provider: 'apple_health', name: 'Watch', model: 'W1', type: 'wrist' };
const phone: Gadget = { provider: 'samsung_health', name: 'Phone', model: 'P1', type: 'phone' };

const dateAt = (place: number): string => addDays('2025-06-01', place);
const steps = (place: number, time: string, value: number, utc_offset: string) => ({
  metric: 'steps',
  start: `${dateAt(place)}T${time}:00Z`,
  end: `${dateAt(place)}T${time}:30Z`,
  value,
  unit: 'count',
  utc_offset,
});

/** A rebuild goes two hundred days at a time: days 198 to 201 lie on both sides of the border, and touch the same hours in twos. */
const days = 205;
const everyday = Array.from({ length: days }, (_none, place) => steps(place, '05:00', 100 + place, '+00:00'));
const ofPhone = [steps(200, '11:00', 5_000, '-12:00'), steps(199, '11:00', 5_000, '+14:00')];
const ofWatch = [steps(200, '11:00', 7, '+14:00'), steps(199, '11:00', 7, '-12:00')];

const expected = (around: readonly number[]): number[] =>
  everyday.map(({ value }, place) => around[place - 198] ?? value);
const mostBelieved = expected([7, 5_299, 5_300, 7]);
const merged = expected([305, 299, 300, 308]);
const largest = expected([298, 5_299, 5_300, 301]);

let user: RacedUser;
beforeEach(async () => {
  user = await raceUser(memoryTable(), null);
  await settingsTo('priority');
  await user.upload(phone, { samples: [...everyday, ...ofPhone] });
  await user.upload(watch, { samples: ofWatch });
  await user.settle();
});

const settingsTo = (method: 'priority' | 'max' | null) =>
  patchConfiguration(user.deps, user.caller, user.id, { metrics: { steps: { method } } });

async function stepsOfAll(): Promise<(number | undefined)[]> {
  const values: (number | undefined)[] = [];
  for await (const { packed } of dayRows(user.deps.store).canonicalBetween(user.id, '0000', '9999'))
    values.push(decodeCanonicalDay(packed).get('steps')?.value);
  return values;
}

/** Before one of the canonical days is written, something happens. */
function beforeDay(count: number, happens: () => Promise<void>): Table {
  let written = 0;
  return {
    ...user.table,
    async write(write) {
      if (write.kind === 'put' && write.item.sk.startsWith('D#') && ++written === count) await happens();
      return user.table.write(write);
    },
  };
}
const dyingAt = (count: number) => beforeDay(count, () => Promise.reject(new Error('killed')));
const rebuilt = (table: Table) => rebuild(user.over(table, true), user.id);

describe('a rebuild of more days than one step takes', () => {
  test('begins where the most believed device is the day', async () => {
    expect(await stepsOfAll()).toEqual(mostBelieved);
  });

  test('sees the days beside the border of a step, on either side', async () => {
    await settingsTo(null);
    await rebuilt(user.table);
    expect(await stepsOfAll()).toEqual(merged);
  });

  test('is taken up after the last step that was done', async () => {
    await settingsTo(null);
    await expect(rebuilt(dyingAt(3))).rejects.toThrow('killed');
    expect((await stateRows(user.deps.store).of(user.id)).progress?.through).toBe(dateAt(199));
    await rebuilt(user.table);
    expect(await stepsOfAll()).toEqual(merged);
  });

  test('begins anew when the settings have changed since', async () => {
    await settingsTo(null);
    await expect(rebuilt(dyingAt(3))).rejects.toThrow('killed');
    await settingsTo('max');
    await rebuilt(user.table);
    expect(await stepsOfAll()).toEqual(largest);
  });

  test('makes a day again that others made from something newer meanwhile, under older settings', async () => {
    const days = dayRows(user.deps.store);
    const date = dateAt(198);
    const said = (await days.normalizedOn(user.id, [date])).get(date);
    const made = (await days.canonicalOn(user.id, [date])).get(date);
    if (!said || !made) throw new Error(`there is no ${date}`);
    await settingsTo(null);
    await rebuilt(
      beforeDay(1, async () => {
        expect(await days.replaceNormalized(user.id, date, said.packed, said.revision)).toBe(true);
        expect(await days.replaceCanonical(user.id, { ...made, from: made.from + 1 })).toBe(true);
      }),
    );
    expect(await stepsOfAll()).toEqual(merged);
  });
});
