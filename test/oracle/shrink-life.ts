// Makes a life that differs as small as it can be and still differ in the same way.
import type { System } from '../harness/system.ts';
import { type Life, type LifeEvent, recordsIn, type WireUpload } from './life.ts';
import { liveOut, type Verdict } from './run-life.ts';

const atOnce = 6;

export async function shrink(system: System, verdict: Verdict): Promise<Verdict> {
  let smallest = verdict;
  for (;;) {
    const smaller = await firstAlike(system, smallest, smallerLives(smallest.life));
    if (!smaller) return smallest;
    smallest = smaller;
  }
}

async function firstAlike(system: System, like: Verdict, lives: Life[]): Promise<Verdict | undefined> {
  for (let at = 0; at < lives.length; at += atOnce) {
    const verdicts = await liveOut(system, lives.slice(at, at + atOnce));
    const found = verdicts.find((verdict) => kindOf(verdict) === kindOf(like));
    if (found) return found;
  }
  return undefined;
}

/** The call and what differs in it, without the moment. */
function kindOf({ wrong: [first] }: Verdict): string {
  const place = first?.mismatches[0]?.where.replaceAll(/\d[\d:T.-]*/g, '') ?? '';
  return `${first?.read.replace(/[?(].*/, '').replaceAll(/(usr|wrk)_\w+/g, '')} ${place}`;
}

/** Boldest first. */
function smallerLives(life: Life): Life[] {
  const { events, columns } = life;
  const halves = [events.slice(Math.ceil(events.length / 2)), events.slice(0, Math.floor(events.length / 2))];
  const fewer = [...halves.filter(({ length }) => length > 0), ...withoutEach(events)];
  const lighter = events.flatMap((event, at) =>
    lighterEvents(event).map((light) => events.map((other, place) => (place === at ? light : other))),
  );
  return [
    ...[...fewer, ...lighter].map((left) => ({ ...life, events: left })),
    ...(columns.length > 1 ? columns.map((column) => ({ ...life, columns: [column] })) : []),
  ];
}

function lighterEvents(event: LifeEvent): LifeEvent[] {
  if (event.kind !== 'upload') return [];
  const { samples = [], daily = [], sleep = [], workouts = [] } = event.body;
  const bodies: Partial<WireUpload>[] = [
    ...fewerOf(samples).map((left) => ({ samples: left })),
    ...fewerOf(daily).map((left) => ({ daily: left })),
    ...fewerOf(sleep).map((left) => ({ sleep: left })),
    ...fewerOf(workouts).map((left) => ({ workouts: left })),
  ];
  return bodies
    .map((lists) => ({ ...event, body: { ...event.body, ...lists } }))
    .filter(({ body }) => recordsIn(body) > 0);
}

function fewerOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [];
  const middle = Math.ceil(items.length / 2);
  return items.length < 4
    ? withoutEach(items)
    : [[], items.slice(0, middle), items.slice(middle), ...(items.length < 12 ? withoutEach(items) : [])];
}

const withoutEach = <Item>(items: readonly Item[]): Item[][] =>
  items.map((_item, at) => items.filter((_other, place) => place !== at));
