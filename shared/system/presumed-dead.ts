// When a run that has not ended is presumed dead. It may have crashed on its work or for unrelated
// reasons, such as a machine failure or a host restart, so only several crashes quarantine its work.

/** A FIFO queue delivers the message of a run that never finished again after two minutes. */
const presumedDeadAfterMs = 115_000;

export const isPresumedDead = (startedMs: number, nowMs: number): boolean => nowMs - startedMs >= presumedDeadAfterMs;
