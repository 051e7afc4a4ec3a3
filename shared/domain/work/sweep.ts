// Finds what is owed and nobody is at: a wake-up was lost, or its worker died. Every kind by itself, so that none keeps another waiting.
import { UserId } from '../../model/ids.ts';
import type { Job, QueueName } from '../../model/jobs.ts';
import { deliveryRows } from '../../store/deliveries.ts';
import { type DueKind, sweptKinds } from '../../store/keys.ts';
import { type Owed, owedRows } from '../../store/owed.ts';
import type { Deps } from '../deps.ts';
import { inPieces } from './in-pieces.ts';
import { messageGraceMs } from './wake.ts';

/** A delivery stands in the index with its grace already: the message for its next attempt may be under way for long. */
const graceOf = (kind: DueKind): number => (kind === 'deliver' ? 0 : messageGraceMs);
/** More of a kind waits for the next sweep, which goes on where this one ended. */
const mostOfAKind = 10_000;
const eventsAMessage = 25;

interface Wake<Name extends QueueName = QueueName> {
  queue: Name;
  jobs(deps: Deps, owed: readonly Owed[]): Job<Name>[];
}

const waking = <Name extends QueueName>(queue: Name, jobs: Wake<Name>['jobs']): Wake<Name> => ({ queue, jobs });
const usersOf = (_deps: Deps, owed: readonly Owed[]) => owed.map(({ owner }) => ({ user_id: owner }));

const wakes = {
  erase: waking('erase', (_deps, owed) =>
    owed.map(({ owner }) => (UserId.safeParse(owner).success ? { user_id: owner } : { webhook_id: owner })),
  ),
  ingest: waking('ingest', usersOf),
  consolidate: waking('consolidate', usersOf),
  score: waking('score', usersOf),
  seed: waking('seed', usersOf),
  sandbox: waking('seed', usersOf),
  publish: waking('publish', (_deps, owed) =>
    inPieces(owed.map(({ owner }) => owner).sort(), eventsAMessage).map((event_ids) => ({ event_ids })),
  ),
  deliver: waking('deliver', ({ store }, owed) => owed.map(({ key }) => deliveryRows(store).jobAt(key))),
} as const satisfies Record<DueKind, Wake>;

/** What fails of one kind is told in the end, after every other kind was swept. */
export async function sweep(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const outcomes = await Promise.allSettled(sweptKinds.map((kind) => wakeOwed(deps, kind, now - graceOf(kind))));
  const failed = outcomes.flatMap((outcome, index) =>
    outcome.status === 'rejected' ? [{ kind: sweptKinds[index], cause: outcome.reason }] : [],
  );
  for (const failure of failed) deps.log('error', 'a kind of owed work could not be swept', failure);
  if (failed.length > 0) throw new Error(`not swept: ${failed.map(({ kind }) => kind).join(', ')}`);
}

export const wakeDueSandboxes = (deps: Deps): Promise<void> => wakeOwed(deps, 'sandbox', deps.clock.now());

async function wakeOwed(deps: Deps, kind: DueKind, beforeMs: number): Promise<void> {
  const { store } = deps;
  const from = await owedRows(store).sweptTo(kind);
  const { owed, rest } = await owedRows(store).before(kind, beforeMs, { atMost: mostOfAKind, from });
  if (owed.length > 0) {
    await wakeAll(deps, kind, owed);
    if (kind !== 'sandbox') await tell(deps, kind, owed, from !== undefined || rest !== undefined);
  }
  if (from || rest) await owedRows(store).sweepOn(kind, rest);
}

export async function wakeAll(deps: Deps, kind: DueKind, owed: readonly Owed[]): Promise<void> {
  const { queue, jobs } = wakes[kind];
  if (owed.length > 0) await deps.queue.sendAll(queue, jobs(deps, owed));
}

/** The cloud makes metrics of these lines: the backlog of each kind. */
async function tell(deps: Deps, kind: DueKind, owed: readonly Owed[], isPart: boolean): Promise<void> {
  const now = deps.clock.now();
  const oldestMs = isPart ? await owedRows(deps.store).oldest(kind) : Math.min(...owed.map(({ sinceMs }) => sinceMs));
  deps.log('warn', 'owed work was found by the sweep', {
    kind,
    owed: owed.length,
    and_more: isPart,
    oldest_seconds: Math.max(0, Math.round((now - (oldestMs ?? now)) / 1000)),
  });
}
