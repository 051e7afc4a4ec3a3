// Determines when a device's data counts as arrived: later than all its earlier data, ingested or
// still pending.
import type { Command, ReplayCommand, UploadCommand } from '../users/command-rows.ts';
import type { DeviceRow } from '../users/device-rows.ts';

/** Returns the pending commands that carry data of this device. */
export const findDeviceCommands = (
  device: DeviceRow,
  commands: readonly Command[],
): (UploadCommand | ReplayCommand)[] =>
  commands.flatMap((command) =>
    (command.kind === 'upload' || command.kind === 'replay') && command.device === device.id ? [command] : [],
  );

/** Each upload of a replay counts one millisecond after the previous one. */
export const arrivalMsOf = (command: UploadCommand | ReplayCommand): number =>
  command.kind === 'replay' ? command.receivedMs + command.replayed + command.uploads.length : command.receivedMs;

export const nextArrivalMs = (device: DeviceRow, commands: readonly Command[], nowMs: number): number =>
  Math.max(
    nowMs,
    device.receivedMs + 1,
    ...findDeviceCommands(device, commands).map((command) => arrivalMsOf(command) + 1),
  );
