/** The command was called in a way it does not understand: the answer is a sentence and the help. */
export class UsageError extends Error {}
