// Whose table calls come in which order: the person's writer, and whoever else acts on the same person.
import { randomFrom } from '../faults.ts';

export type Actor = 'writer' | 'other';
export interface Run {
  actor: Actor;
  calls: number;
}
/** What the other does: an API call, the writer of a later message, or one after the other. */
export type Other = 'call' | 'next writer' | 'call, then next writer';
export interface Schedule {
  /** What they leave open is made by the writer to its end, then by the other. */
  runs: Iterable<Run>;
  other: Other;
  /** It makes no call after its runs. */
  dies?: Actor;
  /** The next writer comes at once, and not when the message of the first is visible again. */
  isTooSoon?: true;
}

export const untilDone = Number.POSITIVE_INFINITY;
export const otherActor = (actor: Actor): Actor => (actor === 'writer' ? 'other' : 'writer');

/** The runs that made these calls, for a failure to print. */
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
