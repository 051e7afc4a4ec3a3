// Measures the cost of a phone's syncs: a typical hour, a repeated upload, an upload without
// changes, a night, a workout, and whole days.
import { openCostWorld } from './cost-world.ts';
import type { MeasuredOperation } from './measured-operation.ts';
import { hourMs, makeSamples, makeWorkout } from './phone-day.ts';
import { openPhoneUser, type SimulatedDay, simulateDay } from './simulated-day.ts';
import { bytesPerYear } from './storage.ts';
import { combine, scale, type Usage } from './usage.ts';

export interface PhoneProfiles {
  operations: MeasuredOperation[];
  workout: Usage;
  /** Includes the refresh of the phone's credentials. */
  day24: Usage;
  day44: Usage;
  /** What an account costs in every hour, in which nothing needs to happen. */
  hourStart: Usage;
  /** A waking hour in which scores change. */
  typicalHour: Usage;
  /** The storage that such days add up to in a year, minus the items that have expired by then. */
  yearBytes: number;
}

export async function measurePhoneProfiles(): Promise<PhoneProfiles> {
  const world = await openCostWorld();
  try {
    const { clock } = world.system;
    const receiver = await world.addWebhook(200);
    // Start at midnight.
    await world.passMinutes(Math.ceil((nextMidnight(clock.now()) - clock.now()) / 60_000));
    const phone = await openPhoneUser(world);
    // Not measured: on the phone's first day, the previous day arrives in one upload with the
    // history.
    await simulateDay(world, phone, receiver, 24);
    const before = await world.rows();
    const day24 = await simulateDay(world, phone, receiver, 24);
    const yearBytes = bytesPerYear(before, await world.rows(), clock.now());
    const day44 = await simulateDay(world, phone, receiver, 44);

    // Noon of the fourth day.
    clock.advance(12 * hourMs);
    await world.passMinutes(20);
    await phone.refresh();
    const from = Math.floor(clock.now() / hourMs) * hourMs - hourMs;
    const samples = makeSamples(from, from + hourMs);
    await phone.upload({ samples });
    await world.passMinutes(20);
    const again = await world.measure(() => phone.upload({ samples }));
    const unchanged = await world.measure(() => phone.upload({ samples: samples.toReversed() }));
    const workout = await world.measure(() => phone.upload({ workouts: [makeWorkout(from - 2 * hourMs)] }));

    const scored = wakingSyncs(day24).filter(({ events }) => events.includes('score.updated'));
    const waiting = wakingSyncs(day24).filter(({ events }) => !events.includes('score.updated'));
    const late = day24.betweenSyncs.filter(({ events }) => events.length > 0);
    const typicalHour = meanUsage(scored);
    return {
      operations: [
        ...meanOperation('a real hour of one phone, scores change', scored),
        ...meanOperation('a real hour of one phone, scores wait', waiting),
        ...meanOperation('what follows by itself between two syncs', late),
        { name: 'the same upload again', usage: again },
        { name: 'an upload that changes nothing', usage: unchanged },
        ...meanOperation(
          'a night, with the hour before',
          day24.syncs.filter(({ kind }) => kind === 'night'),
        ),
        { name: 'a workout with a trace of 540 heart rates', usage: workout },
        { name: "a refresh of a phone's credentials", usage: day24.refreshUsage },
        { name: 'a day of 24 syncs', usage: day24.usage },
        { name: 'a day of 44 syncs', usage: day44.usage },
      ],
      workout,
      day24: day24.usage,
      day44: day44.usage,
      hourStart: world.hourStart,
      typicalHour,
      yearBytes,
    };
  } finally {
    await world.stop();
  }
}

const dayMs = 24 * hourMs;
const nextMidnight = (ms: number): number => Math.ceil(ms / dayMs) * dayMs;

/** The hours that have all ten metrics. */
const wakingSyncs = ({ syncs }: SimulatedDay) =>
  syncs.filter(({ kind, fromMs, atMs }) => kind === 'hour' && fromMs >= 7 * hourMs && atMs <= 23 * hourMs);

const meanOperation = (name: string, parts: readonly { usage: Usage }[]): MeasuredOperation[] =>
  parts.length === 0 ? [] : [{ name: `${name} (${parts.length} a day)`, usage: meanUsage(parts) }];

function meanUsage(parts: readonly { usage: Usage }[]): Usage {
  if (parts.length === 0) throw new Error('the day has no syncs of this kind');
  const all = parts.reduce<Usage>((sum, { usage }) => combine(sum, usage), {});
  return scale(all, 1 / parts.length);
}
