import { beforeEach, describe, expect, test } from 'vitest';
import { decodeCanonicalDay } from '../../../shared/measurements/codec/canonical-day.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import { PassConflict } from '../../../shared/pipeline/command-handler.ts';
import { consolidateDays, readNormalizedAround } from '../../../shared/pipeline/consolidate-days.ts';
import { readUserContext, type UserContext } from '../../../shared/users/user-context.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { createRacedUser, type RacedUser } from '../../harness/raced-user.ts';
import { phone, stepsUpload, uploadSerially, watch } from '../../harness/races/scenarios/scenario-fixtures.ts';

const date = '2026-03-10';
const evening = (value: number, utc_offset: string) =>
  stepsUpload(`${date}T22:00:00Z`, value, { end: `${date}T22:30:00Z`, utc_offset });

let user: RacedUser;
beforeEach(async () => {
  user = await createRacedUser(memoryTable(), null);
  await uploadSerially(user, [phone, evening(600, '+00:00')]);
});

async function readSteps(): Promise<number | undefined> {
  const found = (await dayRows(user.deps.store).readCanonical(user.id, [date])).get(date);
  return found && decodeCanonicalDay(found.packed).get('steps')?.value;
}
async function loadUserContext(): Promise<UserContext> {
  const found = await readUserContext(user.deps, user.id);
  if (!found) throw new Error('the user does not exist');
  return found;
}

describe('a day built from newer data', () => {
  test.each([
    ['the day itself has changed since', evening(601, '+00:00'), phone, 601],
    [
      'an adjacent day has changed, where a higher-ranked device measured in the same hours',
      evening(20, '+03:00'),
      watch,
      0,
    ],
  ])('is not rebuilt from an older view: %s', async (_which, upload, device, expected) => {
    const known = await readNormalizedAround(user.deps, user.id, [date]);
    await uploadSerially(user, [device, upload]);
    expect(await readSteps()).toBe(expected);
    await expect(consolidateDays(user.deps, await loadUserContext(), [date], { knownDays: known })).rejects.toThrow(
      PassConflict,
    );
    expect(await readSteps()).toBe(expected);
  });
});
