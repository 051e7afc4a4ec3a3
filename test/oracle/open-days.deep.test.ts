// Lives whose last UTC day is today, and ends while they are lived: the phone's samples of it stand in slots first, and in rows afterwards.
import { expect, test } from 'vitest';
import { wholePartition } from '../harness/raced-user.ts';
import { type System, startSystem } from '../harness/system.ts';
import { chosenLives } from './chosen-lives.ts';
import type { Life } from './life.ts';
import { makeLife } from './make-life.ts';
import { liveOut } from './run-life.ts';

const dayMs = 86_400_000;
/** Each life takes longer than that. */
const untilMidnightMs = 25_000;

const startsIn = ({ events }: Life): number[] =>
  events.flatMap((event) =>
    event.kind === 'upload' ? (event.body.samples ?? []).map(({ start }) => Date.parse(start)) : [],
  );

/** Shortly before the day of the last sample ends. */
const beginningOf = (life: Life): number => {
  const last = Math.max(...startsIn(life));
  return Math.floor(last / dayMs) * dayMs + dayMs - untilMidnightMs;
};

const lives = Map.groupBy(
  chosenLives.map(makeLife).filter((life) => startsIn(life).length > 0),
  beginningOf,
);

test('lives around the end of a UTC day are told as the rules have it', async () => {
  let slots = 0;
  for (const [startMs, own] of lives) {
    const system = await startSystem({ startMs });
    const users: string[] = [];
    const user: System['user'] = async (...asked) => {
      const id = await system.user(...asked);
      users.push(id);
      return id;
    };
    try {
      const wrong = (await liveOut({ ...system, user }, own)).filter((verdict) => verdict.wrong.length > 0);
      expect(wrong.map(({ life: { seed }, wrong: [first] }) => ({ seed, first }))).toEqual([]);
      for (const id of users) slots += await slotsOf(system, id);
    } finally {
      await system.stop();
    }
  }
  expect(slots).toBeGreaterThan(lives.size);
}, 300_000);

async function slotsOf({ host }: System, user: string): Promise<number> {
  const rows = await wholePartition(host.table, user);
  return rows.filter(({ sk }) => String(sk).startsWith('A#')).length;
}
