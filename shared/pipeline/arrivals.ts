// When what a device brings counts as arrived: later than all that it brought before, worked in or not.
import type { Command, ReplayCommand, UploadCommand } from '../users/command-rows.ts';
import type { DeviceRow } from '../users/device-rows.ts';

/** Of those that wait, the ones that this device brought. */
export const findDeviceCommands = (
  device: DeviceRow,
  commands: readonly Command[],
): (UploadCommand | ReplayCommand)[] =>
  commands.flatMap((command) =>
    (command.kind === 'upload' || command.kind === 'replay') && command.device === device.id ? [command] : [],
  );

/** Each upload of a replay counts a moment after the one before. */
export const arrivalMsOf = (command: UploadCommand | ReplayCommand): number =>
  command.kind === 'replay' ? command.receivedMs + command.replayed + command.uploads.length : command.receivedMs;

export const nextArrivalMs = (device: DeviceRow, commands: readonly Command[], nowMs: number): number =>
  Math.max(
    nowMs,
    device.receivedMs + 1,
    ...findDeviceCommands(device, commands).map((command) => arrivalMsOf(command) + 1),
  );
