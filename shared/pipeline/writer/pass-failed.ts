// A pass failed. The queue logs the error of a failed message, so this one carries only ids and the
// name of the cause: the message of the cause may quote the data that a user sent.
import { outlineError } from '../../platform/error-outline.ts';
import type { Command } from '../../users/command-rows.ts';

export class PassFailed extends Error {
  readonly #original: unknown;

  constructor(command: Pick<Command, 'id' | 'kind'> | undefined, original: unknown) {
    const cause = outlineError(original);
    const subject = command ? `the command ${command.id} (${command.kind})` : 'a pass without commands';
    super(`${subject} failed with ${cause.name}`, { cause });
    this.#original = original;
  }

  /** For a caller that does not log it. Not a property, so that no logger finds it. */
  getOriginal(): unknown {
    return this.#original;
  }
}
