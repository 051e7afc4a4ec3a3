// What a vendor remembers of the codes and grants it gave away. Everything else is in the tokens themselves.

export interface GrantLedger {
  /** Undefined while it is good. */
  endedMs(name: string): Promise<number | undefined>;
  /** False when it had ended before. */
  spend(name: string, nowMs: number, untilMs: number): Promise<boolean>;
  end(name: string, nowMs: number, untilMs: number): Promise<void>;
}

/** For tests and single processes. */
export function memoryLedger(): GrantLedger {
  const ended = new Map<string, number>();
  return {
    endedMs: async (name) => ended.get(name),
    async spend(name, nowMs) {
      if (ended.has(name)) return false;
      ended.set(name, nowMs);
      return true;
    },
    async end(name, nowMs) {
      ended.set(name, nowMs);
    },
  };
}
