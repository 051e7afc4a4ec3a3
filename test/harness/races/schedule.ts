// Whose table calls are made when: so many of one worker, then so many of the other. Written as `A3 B5 A B, B late, A dies`, where no number
// means to the end, a late worker finds that all leases of the other have run out, and one that dies makes no call beyond those.
import * as z from 'zod';
import { randomFrom } from '../faults.ts';

export type WorkerName = 'A' | 'B';
export interface Run {
  worker: WorkerName;
  calls: number;
}
export interface Schedule {
  /** What they leave open is made by A to its end, then by B. */
  runs: Iterable<Run>;
  late: WorkerName;
  dies?: WorkerName | undefined;
}

export const toTheEnd = Number.POSITIVE_INFINITY;
export const theOther = (worker: WorkerName): WorkerName => (worker === 'A' ? 'B' : 'A');

const runText = ({ worker, calls }: Run): string => (calls === toTheEnd ? worker : `${worker}${calls}`);

/** The schedule that makes the same calls in the same order. */
export const scheduleText = (workers: readonly WorkerName[], { late, dies }: Omit<Schedule, 'runs'>): string =>
  `${runsOf(workers).map(runText).join(' ')}, ${late} late${dies ? `, ${dies} dies` : ''}`;

const ScheduleText = z
  .string()
  .regex(/^([AB]\d*)( [AB]\d*)*, [AB] late(, [AB] dies)?$/)
  .transform((text) => text.split(', '));

const workerIn = (text: string): WorkerName => (text.startsWith('A') ? 'A' : 'B');

export function scheduleIn(text: string): Schedule {
  const [runs = '', late = '', dies] = ScheduleText.parse(text);
  return {
    runs: runs
      .split(' ')
      .map((run) => ({ worker: workerIn(run), calls: run.length === 1 ? toTheEnd : Number(run.slice(1)) })),
    late: workerIn(late),
    dies: dies === undefined ? undefined : workerIn(dies),
  };
}

function runsOf(workers: readonly WorkerName[]): Run[] {
  const runs: Run[] = [];
  for (const worker of workers) {
    const run = runs.at(-1);
    if (run?.worker === worker) run.calls++;
    else runs.push({ worker, calls: 1 });
  }
  return runs;
}

/** Some seeds switch at almost every call, others rarely. */
export function randomSchedule(seed: number): Schedule {
  const random = randomFrom(seed);
  const either = (): WorkerName => (random() < 0.5 ? 'A' : 'B');
  const longest = 1 + Math.floor(random() * 8);
  return { late: either(), runs: randomRuns(either(), () => 1 + Math.floor(random() * longest)) };
}

function* randomRuns(first: WorkerName, length: () => number): Generator<Run> {
  for (let worker = first; ; worker = theOther(worker)) yield { worker, calls: length() };
}
