// Where a scenario goes: moves of its profile between time zones, trips that only its records show,
// and its day rule.
import type { DayRule } from './days.ts';
import type { Random } from './random.ts';
import type { ScenarioEvent, WireProfile } from './scenario.ts';

/** From this instant on, a device is elsewhere, and its records with an offset show it. */
export interface Trip {
  from: number;
  zone: string;
}

/** The time zones that a caller will set in the profile, in order. Null removes the zone. */
export function makeMoves(random: Random, home: string, zones: readonly string[]): (string | null)[] {
  const count = random.weighted([
    [5, 0],
    [4, 1],
    [2, 2],
    [1, 3],
  ] as const);
  return Array.from({ length: count }, () =>
    random.weighted<() => string | null>([
      [5, () => random.pick(zones)],
      [3, () => null],
      [1, () => home],
      [1, () => 'UTC'],
    ])(),
  );
}

/** Most callers do not set a rule and get the first one. */
export const pickDayRule = (random: Random): DayRule | undefined =>
  random.weighted([
    [6, undefined],
    [1, 'profile'],
    [3, 'recorded'],
  ] as const);

/** The moves and the changes of the day rule, separately or together. */
export function makeProfileChanges(
  random: Random,
  { moves, rule }: { moves: readonly (string | null)[]; rule: DayRule | undefined },
): ScenarioEvent[] {
  const patches: WireProfile[] = moves.map((timezone) => ({ timezone }));
  let current = rule ?? 'profile';
  const switches = random.chance(current === 'recorded' ? 0.5 : 0.2) ? random.int(1, 2) : 0;
  for (let at = 0; at < switches; at++) {
    current = current === 'profile' ? 'recorded' : 'profile';
    const previousPatch = random.chance(0.3) ? patches.at(-1) : undefined;
    if (previousPatch && previousPatch.day_rule === undefined) previousPatch.day_rule = current;
    else patches.push({ day_rule: current });
  }
  return patches.map((patch) => ({ kind: 'profile', patch, ...(random.chance(0.5) ? { quiet: true } : {}) }));
}

/** Marks some of the uploads that set the zone of a profile without one as quiet. */
export function markQuietUploads(
  random: Random,
  timezone: string | null,
  events: readonly ScenarioEvent[],
): ScenarioEvent[] {
  let isNamed = timezone !== null;
  return events.map((event) => {
    if (event.kind === 'profile' && event.patch.timezone !== undefined) isNamed = event.patch.timezone !== null;
    if (event.kind !== 'upload' || isNamed) return event;
    isNamed = true;
    return random.chance(0.5) ? { ...event, quiet: true } : event;
  });
}
