// The one writer of a person's derived data. Its queue hands out one message of a person at a time, so nobody else makes their days meanwhile.
// A run makes passes until nothing waits, or its time is over; short commands go first, then one stretch of a long one.

import { EngineUnavailable } from '../../platform/ports.ts';
import type { Deps } from '../../system/deps.ts';
import type { Job } from '../../system/jobs.ts';
import { wake } from '../../system/wake.ts';
import type { Command } from '../../users/command-rows.ts';
import { scoresDueMs } from '../../users/owed-scores.ts';
import { type Subject, subjectEvenUnshared, subjectWithCommands } from '../../users/subject.ts';
import { PassOvertaken } from '../work.ts';
import { countAttempt, forgetAttempt, putDown } from './attempts.ts';
import { workOf } from './commands.ts';
import { nextWork, type Skipped } from './next-work.ts';
import { pass } from './pass.ts';

/** No short command is begun after it: others wait for this run to end. */
const mostMs = 10_000;
const mostOvertaken = 10;
/** A steady stream of changes must not postpone a long command forever. */
const maxRests = 5;

interface Run extends Skipped {
  userId: string;
  /** Of the long command that this message goes on with. */
  token: string | undefined;
  /** Commands that failed alone in this run, and how: the others go on, and these come again. */
  failed: Map<string, unknown>;
  overtaken: number;
  /** Of long commands. */
  stretches: number;
  /** How often this run waited for further changes, and the id of the command it last waited for. */
  rests: number;
  restedFor?: string;
  /** The message was handed out before: what is taken up first has one attempt more. */
  counts?: boolean;
  /** The command of which this run has recorded that it is at it. */
  attempted?: Command | undefined;
}

/** Erases a user whose row is gone; the worker hands it in, since erasing knows every room. */
export type EraseUser = (deps: Deps, userId: string) => Promise<void>;

/** `receives` counts how often the message was handed out. */
export async function writePerson(
  deps: Deps,
  { user_id: userId, token }: Job<'person'>,
  { receives, eraseUser }: { receives: number; eraseUser: EraseUser },
): Promise<void> {
  const run: Run = {
    ...{ userId, token, failed: new Map(), left: new Set(), isOneByOne: false },
    ...{ overtaken: 0, stretches: 0, rests: 0 },
    ...(receives === 1 ? {} : { counts: true }),
  };
  try {
    await makePasses(deps, run, eraseUser);
  } catch (error) {
    // A run that answers has not died, whatever it failed at.
    if (run.attempted) await forgetAttempt(deps, userId, run.attempted);
    throw error;
  }
  const [failure] = run.failed.values();
  if (run.failed.size > 0) throw failure;
}

async function makePasses(deps: Deps, run: Run, eraseUser: EraseUser): Promise<void> {
  const { userId, token } = run;
  const untilMs = deps.clock.now() + mostMs;
  for (;;) {
    const { subject, commands, unreadable } = await readPerson(deps, userId);
    if (!subject) return eraseUser(deps, userId);
    if (unreadable.length > 0)
      deps.log('error', 'commands of a person cannot be read', { user_id: userId, unreadable });
    const nowMs = deps.clock.now();
    const next = nextWork(commands, run, nowMs, token);
    const [first] = next.commands;
    if (run.counts && first) {
      run.counts = false;
      run.attempted = await countAttempt(deps, userId, first, nowMs);
      continue;
    }
    if (next.commands.length === 0 && !areScoresDue(subject, nowMs)) return;
    // A message that goes on with a long command makes a stretch of it, however many short ones there were.
    if (nowMs >= untilMs && !(next.isLong && run.stretches === 0)) return wake(deps, 'person', { user_id: userId });
    if (first && wantsRest(run, first)) {
      run.restedFor = first.id;
      run.rests++;
      await deps.clock.pause?.(workOf(first).restMs ?? 0);
      continue;
    }
    if (next.isLong) run.stretches++;
    if (await endsRun(deps, run, subject, next.commands)) return;
  }
}

/**
 * Whatever a command follows from stands in the head that is read after it. One Query does not promise
 * that: it will do for uploads of devices that it has found.
 */
async function readPerson(deps: Deps, userId: string): ReturnType<typeof subjectWithCommands> {
  const { subject, commands, unreadable } = await subjectWithCommands(deps, userId, 'oldest');
  const isFound = (command: Command): boolean =>
    command.kind === 'upload' && subject?.devices.some(({ id }) => id === command.device) === true;
  if (commands.every(isFound)) return { subject, commands, unreadable };
  return { commands, unreadable, subject: await subjectEvenUnshared(deps, userId) };
}

const areScoresDue = ({ user }: Subject, nowMs: number): boolean => (scoresDueMs(user.scores) ?? nowMs + 1) <= nowMs;

/** Each change gives the command a new id, so the run waits again until no further change arrives. */
const wantsRest = ({ rests, restedFor }: Run, command: Command): boolean =>
  workOf(command).restMs !== undefined &&
  !('cursor' in command && command.cursor) &&
  restedFor !== command.id &&
  rests < maxRests;

/** Makes a pass. Whether another run goes on from there. */
async function endsRun(deps: Deps, run: Run, subject: Subject, commands: readonly Command[]): Promise<boolean> {
  try {
    const { isContinued, notYet } = await pass(deps, subject, commands);
    for (const { id } of notYet) run.left.add(id);
    const [first] = commands;
    if (!isContinued || !first) return false;
    // Only this message goes on with it, so that many messages do not become many chains.
    await wake(deps, 'person', { user_id: run.userId, token: first.id });
    return true;
  } catch (error) {
    if (error instanceof EngineUnavailable) throw error;
    if (error instanceof PassOvertaken) {
      if (run.overtaken++ === mostOvertaken)
        throw new EngineUnavailable('a pass was overtaken again and again', { cause: error });
      return false;
    }
    const [only] = commands;
    if (!only) throw error;
    // Of several nobody knows which it was.
    if (commands.length > 1) run.isOneByOne = true;
    else if (!(await putDown(deps, run.userId, only, error))) run.failed.set(only.id, error);
    return false;
  }
}
