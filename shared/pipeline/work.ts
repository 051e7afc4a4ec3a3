// What a pass hands to a kind of command, and what it gets back.
import type { Write } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import type { Command, CommandKind } from '../users/command-rows.ts';
import type { OwedDays } from '../users/owed-scores.ts';
import type { Subject } from '../users/subject.ts';
import type { UserRow } from '../users/user-rows.ts';

/** Derived rows are written already. This is what ends the pass, in one transaction with the user's row. */
export interface Done {
  /** The ends of the commands, events, and what else must not be without them. */
  writes: Write[];
  /** Days whose scores have to follow. */
  scores?: OwedDays[];
  /** What the user's row learns. */
  head?: Partial<Pick<UserRow, 'lastSyncMs' | 'seen'>>;
  /** The row as the work itself has left it, where it has changed it. */
  user?: UserRow;
  /** There is more to do of a long command. */
  isContinued?: boolean;
}

/** Commands that cannot be worked on yet: others go on. */
export interface NotYet {
  notYet: readonly Command[];
}

export interface Work<Kind extends CommandKind> {
  /** Short commands go before it, and a pass makes one stretch of it. */
  isLong: boolean;
  /** So long a run waits before it begins one: asks that follow each other closely become one. */
  restMs?: number;
  /** Which of those that wait are worked on together with the first of them; it alone unless said. */
  together?(first: Of<Kind>, waiting: readonly Command[]): Of<Kind>[];
  work(deps: Deps, subject: Subject, commands: readonly Of<Kind>[]): Promise<Done | NotYet>;
}

export type Of<Kind extends CommandKind> = Extract<Command, { kind: Kind }>;

/** Another writer has taken over, or the person has changed so that the pass has to begin anew. */
export class PassOvertaken extends Error {
  constructor() {
    super('this pass was overtaken, and begins anew');
  }
}

/** A row is only written as it was read. */
export function mustHold(held: boolean): void {
  if (!held) throw new PassOvertaken();
}
