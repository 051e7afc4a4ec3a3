// What the commands of a person come to: every kind, and who does it. A new kind is a file of its own, a shape in `store/commands.ts`, and a line here.
import type { Command, CommandKind } from '../../users/command-rows.ts';
import { rebuildHandler } from '../rebuild.ts';
import { recountHandler } from '../recount.ts';
import { removeDeviceHandler } from '../remove-device.ts';
import { rescoreHandler } from '../scoring/rescore.ts';
import type { CommandHandler } from '../work.ts';
import { replayHandler, uploadHandler } from '../work-in-uploads.ts';

const handlers: { [Kind in CommandKind]: CommandHandler<Kind> } = {
  upload: uploadHandler,
  replay: replayHandler,
  'remove-device': removeDeviceHandler,
  recount: recountHandler,
  rebuild: rebuildHandler,
  rescore: rescoreHandler,
};

/** Holds because each kind's work stands under its name. */
export const handlerFor = ({ kind }: Command): CommandHandler<CommandKind> =>
  handlers[kind] as unknown as CommandHandler<CommandKind>;
