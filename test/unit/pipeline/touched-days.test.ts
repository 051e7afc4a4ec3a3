import { beforeEach, describe, expect, test } from 'vitest';
import { decodeCanonicalDay } from '../../../shared/measurements/codec/canonical-day.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import { consolidateDays, normalizedAround } from '../../../shared/pipeline/touched-days.ts';
import { PassOvertaken } from '../../../shared/pipeline/work.ts';
import { type Subject, subjectOf } from '../../../shared/users/subject.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { type RacedUser, raceUser } from '../../harness/raced-user.ts';
import { inTurn, phone, steps, watch } from '../../harness/races/scenarios/cast.ts';

const date = '2026-03-10';
const evening = (value: number, utc_offset: string) =>
  steps(`${date}T22:00:00Z`, value, { end: `${date}T22:30:00Z`, utc_offset });

let user: RacedUser;
beforeEach(async () => {
  user = await raceUser(memoryTable(), null);
  await inTurn(user, [phone, evening(600, '+00:00')]);
});

async function made(): Promise<number | undefined> {
  const found = (await dayRows(user.deps.store).canonicalOn(user.id, [date])).get(date);
  return found && decodeCanonicalDay(found.packed).get('steps')?.value;
}
async function subject(): Promise<Subject> {
  const found = await subjectOf(user.deps, user.id);
  if (!found) throw new Error('there is no user');
  return found;
}

describe('a day that was made from something newer', () => {
  test.each([
    ['the day itself has changed since', evening(601, '+00:00'), phone, 601],
    ['the day beside it has, where a better device measured in the same hours', evening(20, '+03:00'), watch, 0],
  ])('is not made from an older view: %s', async (_which, said, device, expected) => {
    const known = await normalizedAround(user.deps, user.id, [date]);
    await inTurn(user, [device, said]);
    expect(await made()).toBe(expected);
    await expect(consolidateDays(user.deps, await subject(), [date], { known })).rejects.toThrow(PassOvertaken);
    expect(await made()).toBe(expected);
  });
});
