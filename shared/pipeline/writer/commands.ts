// What the commands of a person come to: every kind, and who does it. A new kind is a file of its own, a shape in `store/commands.ts`, and a line here.
import type { Command, CommandKind } from '../../users/command-rows.ts';
import { rebuilds } from '../rebuild.ts';
import { recounts } from '../recount.ts';
import { deviceRemovals } from '../remove-device.ts';
import { rescores } from '../scoring/rescore.ts';
import type { Work } from '../work.ts';
import { replays, uploads } from '../work-in-uploads.ts';

const works: { [Kind in CommandKind]: Work<Kind> } = {
  upload: uploads,
  replay: replays,
  'remove-device': deviceRemovals,
  recount: recounts,
  rebuild: rebuilds,
  rescore: rescores,
};

/** Holds because each kind's work stands under its name. */
export const workOf = ({ kind }: Command): Work<CommandKind> => works[kind] as unknown as Work<CommandKind>;
