// What a pass hands to a kind of command, and what it gets back.
import type { Write } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import type { Command, CommandKind } from '../users/command-rows.ts';
import type { PendingDays } from '../users/pending-scores.ts';
import type { UserContext } from '../users/user-context.ts';
import type { UserRow } from '../users/user-rows.ts';

/** Derived rows are written already. This is what ends the pass, in one transaction with the user's row. */
export interface HandlerResult {
  /** The ends of the commands, events, and what else must not be without them. */
  writes: Write[];
  /** Days whose scores have to follow. */
  scores?: PendingDays[];
  /** What the user's row learns. */
  userFields?: Partial<Pick<UserRow, 'lastSyncMs' | 'seen'>>;
  /** The row as the work itself has left it, where it has changed it. */
  user?: UserRow;
  /** There is more to do of a long command. */
  isContinued?: boolean;
}

/** Commands that cannot be worked on yet: others go on. */
export interface NotReady {
  notReady: readonly Command[];
}

export interface CommandHandler<Kind extends CommandKind> {
  /** Short commands go before it, and a pass makes one stretch of it. */
  isLong: boolean;
  /** So long a run waits before it begins one: asks that follow each other closely become one. */
  debounceMs?: number;
  /** Which of those that wait are worked on together with the first of them; it alone unless said. */
  selectBatch?(first: CommandOf<Kind>, waiting: readonly Command[]): CommandOf<Kind>[];
  handle(deps: Deps, subject: UserContext, commands: readonly CommandOf<Kind>[]): Promise<HandlerResult | NotReady>;
}

export type CommandOf<Kind extends CommandKind> = Extract<Command, { kind: Kind }>;

/** Another writer has taken over, or the person has changed so that the pass has to begin anew. */
export class PassConflict extends Error {
  constructor() {
    super('this pass was overtaken, and begins anew');
  }
}

/** A row is only written as it was read. */
export function assertApplied(applied: boolean): void {
  if (!applied) throw new PassConflict();
}
