/** A command was called with invalid arguments. The CLI prints the message and the help. */
export class UsageError extends Error {}
