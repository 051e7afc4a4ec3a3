// The colleagues whose user tokens have ended early. A token is signed and has no row that admission
// reads, so the row of its environment's key names them until the last of their tokens has expired.
import * as z from 'zod';
import type { Maker } from '../system/maker.ts';
import { userTokenLifetimeMs } from './token-issuer.ts';

export const EndedMaker = z.object({
  colleague: z.string(),
  /** The last epoch whose tokens have ended. */
  epoch: z.number(),
  untilMs: z.number(),
});
export type EndedMaker = z.infer<typeof EndedMaker>;

/** Another process may sign by a clock that is ahead. */
const maxClockSkewMs = 60_000;

/** Leaves out those whose last token has expired, so that the list stays short. */
export const addEndedMaker = (
  ended: readonly EndedMaker[],
  { colleague, epoch }: Maker,
  nowMs: number,
): EndedMaker[] => [
  ...ended.filter((each) => each.untilMs > nowMs && each.colleague !== colleague),
  { colleague, epoch, untilMs: nowMs + userTokenLifetimeMs + maxClockSkewMs },
];

export const hasMakerEnded = (
  ended: readonly EndedMaker[],
  maker: Pick<Maker, 'colleague' | 'epoch'> | undefined,
): boolean =>
  maker !== undefined && ended.some(({ colleague, epoch }) => colleague === maker.colleague && maker.epoch <= epoch);
