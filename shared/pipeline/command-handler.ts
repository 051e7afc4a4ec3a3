// The interface between a pass and the handler of each kind of command.
import type { Write } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import type { Command, CommandKind } from '../users/command-rows.ts';
import type { PendingDays } from '../users/pending-scores.ts';
import type { UserContext } from '../users/user-context.ts';
import type { UserRow } from '../users/user-rows.ts';

/**
 * The final writes of the pass, committed in one transaction with the user's row. Derived rows are
 * already written by then.
 */
export interface HandlerResult {
  /** Deletes of the finished commands, events, and other writes that must be atomic with them. */
  writes: Write[];
  /** Days that must be scored again. */
  scores?: PendingDays[];
  /** The fields to update on the user's row. */
  userFields?: Partial<Pick<UserRow, 'lastSyncMs' | 'lastUploads' | 'mergeRule'>>;
  /** The user's row, if the handler itself has changed it. */
  user?: UserRow;
  /** A long command has more steps to run. */
  isContinued?: boolean;
}

/** Commands that cannot be processed yet. Other commands proceed. */
export interface NotReady {
  notReady: readonly Command[];
}

export interface CommandHandler<Kind extends CommandKind> {
  /** Short commands run before a long one, and a pass runs only one step of it. */
  isLong: boolean;
  /**
   * How long a run waits before it starts the command, so that requests in quick succession are
   * merged.
   */
  debounceMs?: number;
  /**
   * Selects the pending commands to process together with the first one. Without it, the first is
   * processed alone.
   */
  selectBatch?(first: CommandOf<Kind>, waiting: readonly Command[]): CommandOf<Kind>[];
  handle(deps: Deps, userContext: UserContext, commands: readonly CommandOf<Kind>[]): Promise<HandlerResult | NotReady>;
}

export type CommandOf<Kind extends CommandKind> = Extract<Command, { kind: Kind }>;

/** Another writer has taken over, or the user has changed, so the pass must restart. */
export class PassConflict extends Error {
  constructor() {
    super('the pass conflicted with another write and must restart');
  }
}

/** A row is written only if it has not changed since it was read. */
export function assertApplied(applied: boolean): void {
  if (!applied) throw new PassConflict();
}
