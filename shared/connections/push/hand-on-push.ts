// A push that tells of many people is kept in pieces, and acknowledged before anybody was looked up: workers find out whom each piece is about.
import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod';
import type { CloudProviderId } from '../../catalog/provider.ts';
import { inPieces } from '../../platform/in-pieces.ts';
import type { PushNote } from '../../providers/kit/push.ts';
import type { Environment } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { newId } from '../../system/new-id.ts';
import { wake } from '../../system/wake.ts';
import { connectionRows } from '../connection-rows.ts';
import { pushPieceRows } from './push-piece-rows.ts';
import { recordNotifications } from './record-notifications.ts';

const peopleAtOnce = 16;
/** What a worker is done with in a few seconds. */
const mostPeople = 1_000;
/** Packed it fits an item of the table, whatever it is. */
const mostCharacters = 100_000;
const packing = { level: 1 };

export interface NotedPerson {
  account: string;
  notes: readonly PushNote[];
}

const Note = z.discriminatedUnion('what', [
  z.object({
    account: z.string(),
    what: z.literal('data'),
    page: z.object({ resource: z.string(), text: z.string(), of: z.string().exactOptional() }),
  }),
  z.object({ account: z.string(), what: z.literal('days'), from: z.string(), to: z.string() }),
  z.object({ account: z.string(), what: z.literal('object'), resource: z.string(), id: z.string() }),
  z.object({ account: z.string(), what: z.literal('deleted'), kind: z.enum(['sleep', 'workouts']), id: z.string() }),
  z.object({ account: z.string(), what: z.literal('ended') }),
]) satisfies z.ZodType<PushNote>;
const People = z.array(z.object({ account: z.string(), notes: z.array(Note) }));

/** Durable when it returns. */
export async function handOn(
  deps: Deps,
  provider: CloudProviderId,
  env: Environment,
  people: readonly NotedPerson[],
): Promise<void> {
  const { pieces, long } = cutUp(people);
  const made = pieces.map((text) => ({ piece: newId(deps, 'piece'), people: gzipSync(text, packing) }));
  const nowMs = deps.clock.now();
  await Promise.all([
    ...made.map(({ piece, people: packed }) =>
      pushPieceRows(deps.store).put(piece, { provider, env, people: packed }, nowMs),
    ),
    ...long.map((person) => takeFor(deps, provider, env, person)),
  ]);
  // Only now: whoever works them off is not to be in the way of those that are still being kept.
  await Promise.all(made.map(({ piece }) => wake(deps, 'connection', { piece_id: piece })));
}

/** As texts; those who are too long for one are few, by the size of a push. */
function cutUp(people: readonly NotedPerson[]): { pieces: string[]; long: NotedPerson[] } {
  const long: NotedPerson[] = [];
  const pieces: string[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const person of people) {
    const text = JSON.stringify(person);
    if (text.length > mostCharacters) {
      long.push(person);
      continue;
    }
    characters += text.length;
    const last = pieces.at(-1);
    if (last && last.length < mostPeople && characters <= mostCharacters) last.push(text);
    else {
      pieces.push([text]);
      characters = text.length;
    }
  }
  return { pieces: pieces.map((texts) => `[${texts.join(',')}]`), long };
}

/** Everybody is tried, whoever fails: then the piece stays, and all of it comes again. */
export async function takePiece(deps: Deps, piece: string): Promise<void> {
  const row = await pushPieceRows(deps.store).of(piece);
  if (!row) return;
  const { provider, env } = row;
  const failures: unknown[] = [];
  for (const some of inPieces(People.parse(JSON.parse(gunzipSync(row.people).toString())), peopleAtOnce)) {
    const outcomes = await Promise.allSettled(some.map((person) => takeFor(deps, provider, env, person)));
    for (const outcome of outcomes) if (outcome.status === 'rejected') failures.push(outcome.reason);
  }
  if (failures.length > 0) throw failures[0];
  await pushPieceRows(deps.store).remove(piece);
}

async function takeFor(
  deps: Deps,
  provider: CloudProviderId,
  env: Environment,
  { account, notes }: NotedPerson,
): Promise<void> {
  const links = await connectionRows(deps.store).linkedTo(provider, env, account);
  for (const some of inPieces(links, peopleAtOnce))
    await Promise.all(some.map((link) => recordNotifications(deps, provider, link, notes)));
}
