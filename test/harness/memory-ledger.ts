// The codes and grants of a provider in tests, in memory.
import type { GrantLedger } from '../../shared/sandbox/provider-server/tokens.ts';

export function memoryLedger(): GrantLedger {
  const ended = new Map<string, number>();
  return {
    findEndedMs: async (name) => ended.get(name),
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
