// A world of users on former formulas, and the steps that move them; new for every test.
import { expect } from 'vitest';
import type { Deps } from '../../../../shared/domain/deps.ts';
import { recomputeScores } from '../../../../shared/domain/scores/recompute.ts';
import type { Item } from '../../../../shared/engine/ports.ts';
import type { Caller } from '../../../../shared/model/account.ts';
import { addDays } from '../../../../shared/model/local-day.ts';
import { scoringGeneration } from '../../../../shared/model/score-table.ts';
import { userPartition } from '../../../../shared/store/keys.ts';
import { scoreRunRows } from '../../../../shared/store/score-runs.ts';
import { asOf, scoreRows } from '../../../../shared/store/scores.ts';
import { userRows } from '../../../../shared/store/users.ts';
import { type MemoryDeps, memoryDeps } from '../../../harness/memory-deps.ts';
import { eventsIn } from '../../../harness/outbox.ts';
import { ask, firstDay, formerUser } from './moved-user.ts';

export const minute = 60_000;
export const leaseMs = 91_000;
export const caller: Caller = { kind: 'api_key', account: 'acc_1', env: 'live', form: 2 };
export let world: MemoryDeps;
export let deps: Deps;

export function beginAnew(): void {
  world = memoryDeps();
  ({ deps } = world);
}

export const day = (number: number) => addDays(firstDay, number);
/** As the sweep asks. */
export const look = (user: string) => ask(deps, user, '0000-01-01', '0000-01-01');
export const told = (user: string) =>
  eventsIn(world.table.rows()).filter((event) => event.type === 'score.updated' && event.user === user);
export const scoreItems = (user: string): Item[] =>
  world.table.rows().filter(({ pk, sk }) => pk === userPartition(user) && String(sk).startsWith('S#'));
export const isDue = async (user: string) => (await scoreRunRows(deps.store).asked(user, 1)).length > 0;
export const generationOf = async (user: string) => (await userRows(deps.store).byId(user))?.scoreGeneration;

/** What is stored under the formulas of today. */
export async function current(user: string): Promise<string[]> {
  const found: string[] = [];
  for await (const row of scoreRows(deps.store).between(user, '0000', '9999')) {
    const { date, scores, without } = asOf(row, scoringGeneration) ?? {};
    if (date) found.push(JSON.stringify([date, [...(scores ?? [])], [...(without ?? [])]]));
  }
  return found;
}

/** What the same history comes to for somebody who never had other formulas. */
export async function scoredOnce(
  days: number,
  change: (user: string) => Promise<void> = async () => {},
): Promise<string[]> {
  const user = await formerUser(deps, caller, days);
  for (const { sk } of scoreItems(user))
    await world.table.write({ kind: 'delete', key: { pk: userPartition(user), sk: String(sk) } });
  await change(user);
  await look(user);
  await runOn(user);
  return current(user);
}

/** Steps until nothing is left of the run: at once, as messages come. */
export async function runOn(user: string, over: Deps = deps): Promise<number> {
  const begunMs = world.clock.now();
  for (let steps = 1; ; steps++) {
    const sent = world.sentTo('score').length;
    await recomputeScores(over, user);
    if (((await scoreRunRows(deps.store).run(user))?.lastRunMs ?? 0) >= begunMs) return steps;
    if (world.sentTo('score').length === sent) return steps;
    expect(steps).toBeLessThan(100);
  }
}
