// What a phone's syncs cost: a real hour, the same again, nothing new, a night, a workout, and whole days.
import { openCostWorld } from './cost-world.ts';
import type { Happening } from './happening.ts';
import { type LivedDay, liveDay, openPhoneUser } from './lived-day.ts';
import { hourMs, samplesOf, workoutFrom } from './phone-day.ts';
import { bytesOfAYear } from './storage.ts';
import { combine, scale, type Usage } from './usage.ts';

export interface PhoneProfiles {
  happenings: Happening[];
  workout: Usage;
  /** With the refresh of the phone's credentials. */
  day24: Usage;
  day44: Usage;
  /** A waking hour in which scores change. */
  realHour: Usage;
  /** What such days add up to in a year, less what has expired by then. */
  yearBytes: number;
}

export async function phoneProfiles(): Promise<PhoneProfiles> {
  const world = await openCostWorld();
  try {
    const { clock } = world.system;
    const receiver = await world.webhook(200);
    // From midnight on.
    await world.pass(Math.ceil((nextMidnight(clock.now()) - clock.now()) / 60_000));
    const phone = await openPhoneUser(world);
    // Not measured: on a phone's first day the day before it came at once, with its history.
    await liveDay(world, phone, receiver, 24);
    const before = await world.rows();
    const day24 = await liveDay(world, phone, receiver, 24);
    const yearBytes = bytesOfAYear(before, await world.rows(), clock.now());
    const day44 = await liveDay(world, phone, receiver, 44);

    // At noon of the fourth day.
    clock.advance(12 * hourMs);
    await world.pass(20);
    await phone.refresh();
    const from = Math.floor(clock.now() / hourMs) * hourMs - hourMs;
    const samples = samplesOf(from, from + hourMs);
    await phone.upload({ samples });
    await world.pass(20);
    const again = await world.measure(() => phone.upload({ samples }));
    const unchanged = await world.measure(() => phone.upload({ samples: samples.toReversed() }));
    const workout = await world.measure(() => phone.upload({ workouts: [workoutFrom(from - 2 * hourMs)] }));

    const scored = awake(day24).filter(({ events }) => events.includes('score.updated'));
    const waiting = awake(day24).filter(({ events }) => !events.includes('score.updated'));
    const late = day24.between.filter(({ events }) => events.length > 0);
    const realHour = meanOf(scored);
    return {
      happenings: [
        ...meanHappening('a real hour of one phone, scores change', scored),
        ...meanHappening('a real hour of one phone, scores wait', waiting),
        ...meanHappening('what follows by itself between two syncs', late),
        { name: 'the same upload again', usage: again },
        { name: 'an upload that changes nothing', usage: unchanged },
        ...meanHappening(
          'a night, with the hour before',
          day24.syncs.filter(({ kind }) => kind === 'night'),
        ),
        { name: 'a workout with a trace of 540 heart rates', usage: workout },
        { name: "a refresh of a phone's credentials", usage: day24.refreshed },
        { name: 'a day of 24 syncs', usage: day24.usage },
        { name: 'a day of 44 syncs', usage: day44.usage },
      ],
      workout,
      day24: day24.usage,
      day44: day44.usage,
      realHour,
      yearBytes,
    };
  } finally {
    await world.stop();
  }
}

const dayMs = 24 * hourMs;
const nextMidnight = (ms: number): number => Math.ceil(ms / dayMs) * dayMs;

/** The hours that have all ten metrics. */
const awake = ({ syncs }: LivedDay) =>
  syncs.filter(({ kind, fromMs, atMs }) => kind === 'hour' && fromMs >= 7 * hourMs && atMs <= 23 * hourMs);

const meanHappening = (name: string, parts: readonly { usage: Usage }[]): Happening[] =>
  parts.length === 0 ? [] : [{ name: `${name} (${parts.length} a day)`, usage: meanOf(parts) }];

function meanOf(parts: readonly { usage: Usage }[]): Usage {
  if (parts.length === 0) throw new Error('the day had none of these');
  const all = parts.reduce<Usage>((sum, { usage }) => combine(sum, usage), {});
  return scale(all, 1 / parts.length);
}
