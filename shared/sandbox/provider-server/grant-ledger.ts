// What a vendor remembers of the codes and grants it gave away. Everything else is in the tokens themselves.

export interface GrantLedger {
  /** Undefined while it is good. */
  findEndedMs(name: string): Promise<number | undefined>;
  /** False when it had ended before. */
  spend(name: string, nowMs: number, untilMs: number): Promise<boolean>;
  end(name: string, nowMs: number, untilMs: number): Promise<void>;
}
