// However many commands of a user arrive, at most two messages wait that uploads and settings
// caused: one with the user's wake number as its deduplication key, and one that continues a run. A
// sender reads the number after it has stored its command. A run that handles a numbered message
// raises the number, and reads the commands again before it ends. So if the queue drops a message
// as a repeat, the run of the earlier message has not made its last read yet, even though SQS
// remembers a key for five minutes after the message is gone. Continuations and the sweep do not
// use these keys.

export const wakeKey = (wake: number): string => `wake ${wake}`;

/**
 * What a run raises the user's number to. Undefined if the number has risen beyond the message's, or
 * if the message has none.
 */
export const nextWakeAfter = (messageWake: number | undefined, { wake = 0 }: { wake?: number | undefined }) =>
  messageWake === undefined || wake > messageWake ? undefined : messageWake + 1;
