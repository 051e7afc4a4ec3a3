// Selects the pending commands for the next pass: short ones in the order of arrival, then one step
// of a long one.
import { sdkFormat } from '../../providers/phone/format.ts';
import type { Command } from '../../users/command-rows.ts';
import { handlerFor } from './command-handlers.ts';

export interface SkippedCommands {
  /** Errors by command id. */
  failed: ReadonlyMap<string, unknown>;
  /** Commands left to another run. */
  postponed: Set<string>;
  /** A batch of uploads has failed, so each is tried alone. */
  isOneByOne: boolean;
}

export interface NextCommands {
  commands: Command[];
  isLong: boolean;
}

/** After this time, the message that continues a long command is considered lost. */
const continuationLostAfterMs = 60_000;

export function selectNextCommands(
  pending: readonly Command[],
  { failed, postponed, isOneByOne }: SkippedCommands,
  nowMs: number,
  token: string | undefined,
): NextCommands {
  const isSkipped = (command: Command): boolean =>
    failed.has(command.id) || postponed.has(command.id) || (command.notBeforeMs ?? 0) > nowMs;
  // Data that a provider returned later may withdraw earlier data, so a provider's uploads must
  // stay in order.
  const blockedDevices = new Set(pending.filter(isSkipped).flatMap((command) => providerDeviceOf(command) ?? []));
  const ready = pending.filter(
    (command) =>
      !isSkipped(command) &&
      !blockedDevices.has(providerDeviceOf(command) ?? '') &&
      !isContinuedElsewhere(command, nowMs, token),
  );
  const first =
    ready.find((command) => !handlerFor(command).isLong) ?? ready.find(({ id }) => id === token) ?? ready[0];
  if (!first) return { commands: [], isLong: false };
  const { isLong, selectBatch } = handlerFor(first);
  const isSuspect = isOneByOne || first.failures > 0 || first.crashes > 0;
  return { commands: isSuspect || !selectBatch ? [first] : selectBatch(first, ready), isLong };
}

const providerDeviceOf = (command: Command): string | undefined =>
  command.kind === 'upload' && command.source !== sdkFormat.source ? command.device : undefined;

function isContinuedElsewhere(command: Command, nowMs: number, token: string | undefined): boolean {
  if (!('cursor' in command) || !command.cursor) return false;
  return command.id !== token && nowMs - command.cursor.atMs < continuationLostAfterMs;
}
