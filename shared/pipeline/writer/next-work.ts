// Which of the commands that wait a pass takes up next: short ones in the order of arrival, then one stretch of a long one.
import { sdkFormat } from '../../providers/phone/format.ts';
import type { Command } from '../../users/command-rows.ts';
import { workOf } from './commands.ts';

export interface Skipped {
  /** By id. */
  failed: ReadonlyMap<string, unknown>;
  /** Commands that are for another run to look at. */
  left: Set<string>;
  /** Several uploads together have failed: each is tried alone. */
  isOneByOne: boolean;
}

export interface NextWork {
  commands: Command[];
  isLong: boolean;
}

/** By then the message that goes on with a long command is lost. */
const lostAfterMs = 60_000;

export function nextWork(
  waiting: readonly Command[],
  { failed, left, isOneByOne }: Skipped,
  nowMs: number,
  token: string | undefined,
): NextWork {
  const isSkipped = (command: Command): boolean =>
    failed.has(command.id) || left.has(command.id) || (command.notBeforeMs ?? 0) > nowMs;
  // What a vendor was asked for later may take back what it said before, never the other way round.
  const held = new Set(waiting.filter(isSkipped).flatMap((command) => vendorDeviceOf(command) ?? []));
  const ready = waiting.filter(
    (command) =>
      !isSkipped(command) && !held.has(vendorDeviceOf(command) ?? '') && !goesOnElsewhere(command, nowMs, token),
  );
  const first = ready.find((command) => !workOf(command).isLong) ?? ready.find(({ id }) => id === token) ?? ready[0];
  if (!first) return { commands: [], isLong: false };
  const { isLong, together } = workOf(first);
  const isSuspect = isOneByOne || first.failures > 0 || first.deaths > 0;
  return { commands: isSuspect || !together ? [first] : together(first, ready), isLong };
}

const vendorDeviceOf = (command: Command): string | undefined =>
  command.kind === 'upload' && command.source !== sdkFormat.source ? command.device : undefined;

function goesOnElsewhere(command: Command, nowMs: number, token: string | undefined): boolean {
  if (!('cursor' in command) || !command.cursor) return false;
  return command.id !== token && nowMs - command.cursor.atMs < lostAfterMs;
}
