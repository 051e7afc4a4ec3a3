/**
 * A problem that the user of this machine can fix. It is printed as its message, without a stack.
 */
export class FixableError extends Error {}
