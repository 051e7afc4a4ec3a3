// The only writer of a user's derived data. Its queue delivers one message per user at a time, so
// no other worker changes the user's days concurrently. A run makes passes until no command is
// pending or its time is up: short commands first, then one step of a long one.

import { writeConditionally } from '../../platform/conditional-write.ts';
import { EngineUnavailable } from '../../platform/ports.ts';
import type { Deps } from '../../system/deps.ts';
import type { Job } from '../../system/jobs.ts';
import { wakeWorker } from '../../system/wake-worker.ts';
import type { Command } from '../../users/command-rows.ts';
import { findScoresDueMs } from '../../users/pending-scores.ts';
import {
  readUserContextIncludingUnshared,
  readUserContextWithCommands,
  type UserContext,
} from '../../users/user-context.ts';
import { nextWakeAfter } from '../../users/wake-number.ts';
import { wakeRows } from '../../users/wake-rows.ts';
import { wakeUser } from '../../users/wake-user.ts';
import { PassConflict } from '../command-handler.ts';
import { clearAttempt, countAttempt, recordCommandFailure } from './command-attempts.ts';
import { handlerFor } from './command-handlers.ts';
import { PassFailed } from './pass-failed.ts';
import { runPass } from './run-pass.ts';
import { type SkippedCommands, selectNextCommands } from './select-next-commands.ts';

/** No short command starts after this time, because other work waits for this run to end. */
const maxRunMs = 10_000;
const maxConflicts = 10;
/** A steady stream of changes must not postpone a long command forever. */
const maxDebounces = 5;

interface WriterRun extends SkippedCommands {
  userId: string;
  /** The id of the long command that this message continues. */
  token: string | undefined;
  /** The user's wake number when the message was sent. */
  wake: number | undefined;
  /** Whether commands were read after that number had risen. */
  hasReadAfterRaise: boolean;
  /**
   * Commands that failed alone in this run, with their errors. Other commands proceed, and these
   * are retried.
   */
  failed: Map<string, PassFailed>;
  conflicts: number;
  /** The number of steps of long commands. */
  longSteps: number;
  /**
   * How often this run waited for further changes, and the id of the command it last waited for.
   */
  debounces: number;
  debouncedFor?: string;
  /** The message was delivered before, so the first command it processes has one more attempt. */
  shouldCountAttempt?: boolean;
  /** The command for which this run has recorded an attempt. */
  attemptedCommand?: Command | undefined;
}

/**
 * Erases a user whose row is gone. The worker injects it, because erasing depends on every module.
 */
export type EraseUser = (deps: Deps, userId: string) => Promise<void>;

/** `receives` is the number of times the message was delivered. */
export async function writeUser(
  deps: Deps,
  { user_id: userId, token, wake }: Job<'user'>,
  { receives, eraseUser }: { receives: number; eraseUser: EraseUser },
): Promise<void> {
  const run: WriterRun = {
    ...{ userId, token, wake, failed: new Map(), postponed: new Set(), isOneByOne: false },
    ...{ conflicts: 0, longSteps: 0, debounces: 0, hasReadAfterRaise: false },
    ...(receives === 1 ? {} : { shouldCountAttempt: true }),
  };
  try {
    await runPasses(deps, run, eraseUser);
  } catch (error) {
    // A run that reports an error has not crashed, so it clears its attempt.
    if (run.attemptedCommand) await clearAttempt(deps, userId, run.attemptedCommand);
    throw error;
  }
  const [failure] = run.failed.values();
  if (run.failed.size > 0) throw failure;
}

async function runPasses(deps: Deps, run: WriterRun, eraseUser: EraseUser): Promise<void> {
  const { userId, token } = run;
  const untilMs = deps.clock.now() + maxRunMs;
  for (;;) {
    const { userContext, commands, unreadable } = await readUserAndCommands(deps, userId);
    if (!userContext) return eraseUser(deps, userId);
    retryPostponedAfterRaise(run, userContext);
    if (unreadable.length > 0) deps.log('error', 'commands_unreadable', { user_id: userId, row_keys: unreadable });
    const nowMs = deps.clock.now();
    const next = selectNextCommands(commands, run, nowMs, token);
    const [first] = next.commands;
    if (run.shouldCountAttempt && first) {
      run.shouldCountAttempt = false;
      run.attemptedCommand = await countAttempt(deps, userContext.user, first, nowMs);
      continue;
    }
    if (next.commands.length === 0 && !areScoresDue(userContext, nowMs)) {
      if (await raiseWake(deps, run, userContext)) continue;
      return;
    }
    // A message that continues a long command runs one step of it, regardless of the number of
    // short commands.
    if (nowMs >= untilMs && !(next.isLong && run.longSteps === 0)) {
      if (run.wake === undefined) return wakeWorker(deps, 'user', { user_id: userId });
      // Others may have sent the next message already.
      await raiseWake(deps, run, userContext);
      return wakeUser(deps, userId);
    }
    if (first && shouldDebounce(run, first)) {
      run.debouncedFor = first.id;
      run.debounces++;
      await deps.clock.pause?.(handlerFor(first).debounceMs ?? 0);
      continue;
    }
    if (next.isLong) run.longSteps++;
    if (await attemptPass(deps, run, userContext, next.commands)) return;
  }
}

/**
 * Returns whether commands must be read again: senders that the queue did not let wake the writer
 * again rely on a read after the number rose.
 */
async function raiseWake({ store }: Deps, run: WriterRun, { user }: UserContext): Promise<boolean> {
  const nextWake = nextWakeAfter(run.wake, user);
  if (nextWake === undefined) return false;
  await writeConditionally(store.table, wakeRows(store).buildRaise(user, nextWake));
  return true;
}

/**
 * An upload that was not complete when this run first found it may be complete by now, and the
 * message of its sender may have been dropped because the number had not risen yet.
 */
function retryPostponedAfterRaise(run: WriterRun, { user }: UserContext): void {
  if (run.hasReadAfterRaise || nextWakeAfter(run.wake, user) !== undefined) return;
  run.hasReadAfterRaise = true;
  run.postponed.clear();
}

/**
 * The user head must be at least as recent as the commands, because a command may depend on what
 * was committed with it. A single Query does not guarantee that; it is sufficient for uploads of
 * devices that it returned.
 */
async function readUserAndCommands(deps: Deps, userId: string): ReturnType<typeof readUserContextWithCommands> {
  const { userContext, commands, unreadable } = await readUserContextWithCommands(deps, userId, 'oldest');
  const isKnownUpload = (command: Command): boolean =>
    command.kind === 'upload' && userContext?.devices.some(({ id }) => id === command.device) === true;
  if (commands.every(isKnownUpload)) return { userContext, commands, unreadable };
  return { commands, unreadable, userContext: await readUserContextIncludingUnshared(deps, userId) };
}

const areScoresDue = ({ user }: UserContext, nowMs: number): boolean =>
  (findScoresDueMs(user.scores) ?? nowMs + 1) <= nowMs;

/**
 * Each change gives the command a new id, so the run waits again until no further change arrives.
 */
const shouldDebounce = ({ debounces, debouncedFor }: WriterRun, command: Command): boolean =>
  handlerFor(command).debounceMs !== undefined &&
  !('cursor' in command && command.cursor) &&
  debouncedFor !== command.id &&
  debounces < maxDebounces;

/** Runs a pass and returns whether another run continues from there. */
async function attemptPass(
  deps: Deps,
  run: WriterRun,
  userContext: UserContext,
  commands: readonly Command[],
): Promise<boolean> {
  try {
    const { isContinued, notReady } = await runPass(
      deps,
      userContext,
      commands,
      nextWakeAfter(run.wake, userContext.user),
    );
    for (const { id } of notReady) run.postponed.add(id);
    const [first] = commands;
    if (!isContinued || !first) return false;
    // Only this message continues the command, so that many messages do not become many chains.
    await wakeWorker(deps, 'user', { user_id: run.userId, token: first.id });
    return true;
  } catch (error) {
    if (error instanceof EngineUnavailable) throw error;
    if (error instanceof PassConflict) {
      if (run.conflicts++ === maxConflicts)
        throw new EngineUnavailable('a pass conflicted with other writes too many times', { cause: error });
      return false;
    }
    const [only] = commands;
    if (!only) throw new PassFailed(undefined, error);
    // In a batch, it is unknown which command failed.
    if (commands.length > 1) run.isOneByOne = true;
    else if (!(await recordCommandFailure(deps, userContext.user, only, error)))
      run.failed.set(only.id, new PassFailed(only, error));
    return false;
  }
}
