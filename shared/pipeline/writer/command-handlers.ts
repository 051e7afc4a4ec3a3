// The handler of every kind of command. A new kind needs its own handler file, a schema in
// `users/command-rows.ts` and a line here.
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

/** The cast is safe because each handler is registered under its own kind. */
export const handlerFor = ({ kind }: Command): CommandHandler<CommandKind> =>
  handlers[kind] as unknown as CommandHandler<CommandKind>;
