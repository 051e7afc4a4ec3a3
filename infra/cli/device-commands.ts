// Commands on a user's devices: show their sync state, and process their stored payloads again with
// the current normalizers.

import { replayDevice } from '../../shared/pipeline/replay-device.ts';
import { Failure } from '../../shared/system/failure.ts';
import type { Device } from '../../shared/users/device.ts';
import { presentDevices } from '../../shared/users/devices.ts';
import { readUserContextIncludingUnshared } from '../../shared/users/user-context.ts';
import { type CliCommand, requireArgument } from './command.ts';
import { recordUserCommand } from './record-command.ts';
import { renderRow } from './terminal-text.ts';

export const deviceCommands: Record<string, CliCommand> = {
  'devices show': {
    usage: '--user USER [--device DEVICE]',
    summary: "show a user's devices and how far their history has been fetched",
    prepare(args) {
      const user = requireArgument(args.user, '--user');
      return async (deps) => {
        const userContext = await readUserContextIncludingUnshared(deps, user);
        if (!userContext) throw new Failure('not_found', `User ${user} not found.`);
        const devices = presentDevices(userContext.devices).filter(
          ({ id }) => args.device === undefined || id === args.device,
        );
        if (args.device !== undefined && devices.length === 0)
          throw new Failure(
            'not_found',
            `Device ${args.device} not found. Run "devices show --user ${user}" to see them all.`,
          );
        return { json: { devices }, text: devices.map(renderDevice).join('\n') || 'No devices.' };
      };
    },
  },
  'devices replay': {
    usage: '--user USER --device DEVICE',
    summary: "reprocess a device's stored payloads from the last 30 days",
    prepare(args) {
      const [user, device] = [requireArgument(args.user, '--user'), requireArgument(args.device, '--device')];
      return async (deps) => {
        const batches = await recordUserCommand(deps, { user, action: 'device.replayed', ids: [device] }, () =>
          replayDevice(deps, user, device),
        );
        return {
          json: { batches },
          text:
            batches === 0
              ? 'Nothing of this device is stored, or a replay of it already waits.'
              : `${batches} ${batches === 1 ? 'payload' : 'payloads'} will be processed again within two minutes.`,
        };
      };
    },
  },
};

function renderDevice({ id, provider, status, connected_at, last_sync_at, error, sync }: Device): string {
  const progress = sync ? `${sync.state} ${sync.from}..${sync.to} ${Math.round(sync.done * 100)}%` : '';
  const cells = [
    id,
    provider.padEnd(14),
    error ? `${status} (${error})` : status,
    `connected ${connected_at ?? 'never'}`,
    `last sync ${last_sync_at ?? 'never'}`,
    progress,
  ];
  return renderRow(...cells.filter((cell) => cell !== ''));
}
