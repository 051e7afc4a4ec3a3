// What the commands of a person come to: every kind, and who does it. A new kind is a file of its own, a shape in `store/commands.ts`, and a line here.
import type { Command, CommandKind } from '../../store/commands.ts';
import { rebuilds } from '../consolidation/rebuild.ts';
import { recounts } from '../ingest/recount.ts';
import { deviceRemovals } from '../ingest/remove-device.ts';
import { replays, uploads } from '../ingest/work-in-uploads.ts';
import { rescores } from '../scores/rescore.ts';
import type { Work } from './work.ts';

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
