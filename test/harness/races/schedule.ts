// The order of table calls between the user's writer and another actor on the same user.
import { randomFrom } from '../faults.ts';

export type Actor = 'writer' | 'other';
export interface Run {
  actor: Actor;
  calls: number;
}
/**
 * What the other actor does: an API call, the writer of a later message, or one after the other.
 */
export type Other = 'call' | 'next writer' | 'call, then next writer';
export interface Schedule {
  /** After the runs, the writer makes its remaining calls, then the other actor. */
  runs: Iterable<Run>;
  other: Other;
  /** The actor makes no calls after its runs. */
  dies?: Actor;
  /**
   * The next writer starts at once, instead of when the first one's message becomes visible again.
   */
  isTooSoon?: true;
}

export const untilDone = Number.POSITIVE_INFINITY;
export const otherActor = (actor: Actor): Actor => (actor === 'writer' ? 'other' : 'writer');

/** Describes the runs that made these calls, for failure messages. */
export function scheduleText(actors: readonly Actor[], { other, dies, isTooSoon }: Omit<Schedule, 'runs'>): string {
  const runs: Run[] = [];
  for (const actor of actors) {
    const run = runs.at(-1);
    if (run?.actor === actor) run.calls++;
    else runs.push({ actor, calls: 1 });
  }
  const order = runs.map(({ actor, calls }) => `${actor} ${calls}`).join(', ');
  return `${order}; the other is ${other}${isTooSoon ? ', too soon' : ''}${dies ? `; the ${dies} dies` : ''}`;
}

/** Some seeds switch at almost every call, others rarely. */
export function randomSchedule(seed: number, other: Other): Schedule {
  const random = randomFrom(seed);
  const either = (): Actor => (random() < 0.5 ? 'writer' : 'other');
  const maxLength = 1 + Math.floor(random() * 8);
  return { other, runs: randomRuns(either(), () => 1 + Math.floor(random() * maxLength)) };
}

function* randomRuns(first: Actor, length: () => number): Generator<Run> {
  for (let actor = first; ; actor = otherActor(actor)) yield { actor, calls: length() };
}
