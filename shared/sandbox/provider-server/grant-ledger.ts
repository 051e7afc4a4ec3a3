// What a provider remembers of the codes and grants that it issued. Everything else is in the
// tokens themselves.

export interface GrantLedger {
  /** Undefined while it is valid. */
  findEndedMs(name: string): Promise<number | undefined>;
  /** False if it had ended before. */
  spend(name: string, nowMs: number, untilMs: number): Promise<boolean>;
  end(name: string, nowMs: number, untilMs: number): Promise<void>;
}
