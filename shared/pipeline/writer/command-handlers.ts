// What the commands of a person come to: every kind, and who does it. A new kind is a file of its own, a shape in `store/commands.ts`, and a line here.
import type { Command, CommandKind } from '../../users/command-rows.ts';
import type { CommandHandler } from '../command-handler.ts';
import { replayHandler, uploadHandler } from '../ingest-uploads.ts';
import { rebuildHandler } from '../rebuild.ts';
import { recountHandler } from '../recount.ts';
import { removeDeviceHandler } from '../remove-device.ts';
import { rescoreHandler } from '../scoring/rescore.ts';

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
