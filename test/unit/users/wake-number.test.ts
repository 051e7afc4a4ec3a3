// Every order of steps of senders, the writer and the queue, with deduplication, crashes, a purge and
// keys that SQS forgets. `test/unit/system/wake-user.test.ts` tries the real senders and writer.
import { expect, test } from 'vitest';
import { nextWakeAfter } from '../../../shared/users/wake-number.ts';

type Rule = typeof nextWakeAfter;

interface Sender {
  at: 'store' | 'read' | 'send' | 'end' | 'crashed';
  /** The number that it has read. */
  wake: number;
}
interface Run {
  /** The number of the message, if it has one. */
  message: number | null;
  /** What the last read found; null before a read. */
  found: { wake: number; commands: number[] } | null;
}
/** Messages without a number are the sweep's. */
interface State {
  wake: number;
  commands: Record<number, 'pending' | 'done'>;
  senders: Sender[];
  waiting: (number | null)[];
  run: Run | null;
  remembered: number[];
  faults: { senderCrash: number; writerCrash: number; purge: number; forget: number };
}

const start = (senders: number, faults: State['faults']): State => ({
  ...{ wake: 0, commands: {}, waiting: [], run: null, remembered: [], faults },
  senders: Array.from({ length: senders }, () => ({ at: 'store', wake: -1 })),
});

const pendingOf = ({ commands }: State): number[] =>
  Object.entries(commands).flatMap(([id, status]) => (status === 'pending' ? [Number(id)] : []));

/** Every state that one step leads to. */
function listNext(state: State, rule: Rule): State[] {
  const after = (change: (next: State) => void): State => {
    const next = structuredClone(state);
    change(next);
    return next;
  };
  const next = state.senders.flatMap((sender, id) => stepSender(state, sender, id, after));
  const { run, waiting, faults } = state;
  if (!run && waiting.length > 0)
    next.push(
      after((to) => {
        to.run = { message: to.waiting.shift() ?? null, found: null };
      }),
    );
  if (run) next.push(stepRun(run, after, rule));
  if (run && faults.writerCrash > 0)
    next.push(
      after((to) => {
        to.waiting.unshift(run.message);
        to.run = null;
        to.faults.writerCrash--;
      }),
    );
  if (waiting.length > 0 && faults.purge > 0)
    next.push(
      after((to) => {
        to.waiting = [];
        to.faults.purge--;
      }),
    );
  if (faults.forget > 0)
    for (const number of state.remembered)
      next.push(
        after((to) => {
          to.remembered = to.remembered.filter((each) => each !== number);
          to.faults.forget--;
        }),
      );
  return next;
}

function stepSender(
  { faults }: State,
  sender: Sender,
  id: number,
  after: (change: (next: State) => void) => State,
): State[] {
  if (sender.at === 'end' || sender.at === 'crashed') return [];
  const step = after((to) => {
    const own = to.senders[id];
    if (!own) return;
    if (own.at === 'store') {
      to.commands[id] = 'pending';
      own.at = 'read';
    } else if (own.at === 'read') {
      own.wake = to.wake;
      own.at = 'send';
    } else {
      if (!to.remembered.includes(own.wake)) {
        to.waiting.push(own.wake);
        to.remembered.push(own.wake);
      }
      own.at = 'end';
    }
  });
  const crash = after((to) => {
    const own = to.senders[id];
    if (own) own.at = 'crashed';
    to.faults.senderCrash--;
  });
  return faults.senderCrash > 0 && sender.at !== 'store' ? [step, crash] : [step];
}

/** As `write-user.ts` does: reads, then commits, raises the number, or ends. */
const stepRun = ({ message, found }: Run, after: (change: (next: State) => void) => State, rule: Rule): State =>
  after((to) => {
    if (!found) {
      to.run = { message, found: { wake: to.wake, commands: pendingOf(to) } };
      return;
    }
    const nextWake = rule(message ?? undefined, found);
    if (found.commands.length === 0 && nextWake === undefined) {
      to.run = null;
      return;
    }
    for (const id of found.commands) to.commands[id] = 'done';
    if (nextWake !== undefined && to.wake === found.wake) to.wake = nextWake;
    to.run = { message, found: null };
  });

/** Visits every state, and returns what is wrong in some of them. */
function explore(from: State, rule: Rule): { states: number; lost: State[]; maxWaiting: number } {
  const seen = new Set<string>();
  const open = [from];
  const lost: State[] = [];
  let maxWaiting = 0;
  for (let state = open.pop(); state; state = open.pop()) {
    const key = JSON.stringify(state);
    if (seen.has(key)) continue;
    seen.add(key);
    maxWaiting = Math.max(maxWaiting, state.waiting.length);
    if (isLost(state)) lost.push(state);
    open.push(...listNext(state, rule));
  }
  return { states: seen.size, lost, maxWaiting };
}

/** A sender is done, its command is not, and nothing is on its way. */
const isLost = (state: State): boolean =>
  state.waiting.length === 0 &&
  !state.run &&
  pendingOf(state).some((id) => state.senders[id]?.at === 'end') &&
  state.senders.every(({ at }) => at === 'end' || at === 'crashed');

const none = { senderCrash: 0, writerCrash: 0, purge: 0, forget: 0 };

test('in no order of steps is a command left without a message, and one message waits at most', () => {
  const { states, lost, maxWaiting } = explore(start(4, none), nextWakeAfter);
  expect(states).toBeGreaterThan(1_000);
  expect({ lost, maxWaiting }).toEqual({ lost: [], maxWaiting: 1 });
});

test('crashes of a sender and of the writer, and forgotten keys, leave no command of another sender behind', () => {
  const faults = { senderCrash: 1, writerCrash: 1, purge: 0, forget: 1 };
  const { lost, maxWaiting } = explore(start(3, faults), nextWakeAfter);
  expect(lost).toEqual([]);
  // The message of a dead run waits again, and SQS has forgotten one key.
  expect(maxWaiting).toBeLessThanOrEqual(3);
});

test('after a purge a message of the sweep is enough, although SQS still remembers the keys', () => {
  const { lost } = explore(start(3, { ...none, purge: 1 }), nextWakeAfter);
  expect(lost.length).toBeGreaterThan(0);
  for (const state of lost) {
    const swept = explore({ ...state, waiting: [null] }, nextWakeAfter);
    expect(swept.lost).toEqual([]);
  }
});

test('a run that ends without raising the number would lose commands', () => {
  expect(explore(start(3, none), () => undefined).lost.length).toBeGreaterThan(0);
});
