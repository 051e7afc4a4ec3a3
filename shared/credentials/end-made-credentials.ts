// Ends what a colleague made, group by group, with an entry in the audit trail for each. Their access
// or their right to make more ended before this, so nothing new appears; it can be repeated after an
// interruption.
import { endUserTokens } from '../accounts/accounts.ts';
import type { AuditAction } from '../audit/actions.ts';
import { type Act, recordAct } from '../audit/record-act.ts';
import { mobileTokenRows } from '../mobile/mobile-token-rows.ts';
import { endSessionOf } from '../mobile/sdk-sessions.ts';
import { awaitAll } from '../platform/await-all.ts';
import { chunkArray } from '../platform/chunk-array.ts';
import { EngineUnavailable } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import { type MadeCredential, type MadeCredentialKind, madeCredentialRows } from '../system/made-credential-rows.ts';
import type { Maker } from '../system/maker.ts';
import { commitConditionally } from '../system/store.ts';
import { filterValidCredentials, groupCredentials } from './list-made-credentials.ts';
import type { MadeCredentialGroup } from './made-credentials.ts';

/** Who acts, from where; for the audit trail. */
export type ActOrigin = Pick<Act, 'account' | 'actor' | 'request'>;

const endActions: Readonly<Record<MadeCredentialKind, AuditAction>> = {
  connect_link: 'connect_link.ended',
  user_token: 'user_token.ended',
  mobile_token: 'mobile_token.ended',
  sdk_session: 'sdk_session.ended',
};

/** An entry lists the ids of what ended, and stays far below the size of an item. */
const maxIdsPerEntry = 200;
const parallelWrites = 20;
const maxRowsPerRound = 500;
/** A function of the API runs for ten seconds at most. */
const maxRunMs = 7_000;

/** Ends everything from the maker's epoch and from those before it. */
export async function endMadeCredentials(deps: Deps, by: ActOrigin, maker: Maker): Promise<MadeCredentialGroup[]> {
  const { list } = madeCredentialRows(deps.store);
  const untilMs = deps.clock.now() + maxRunMs;
  const assertTimeIsLeft = (): void => {
    if (deps.clock.now() > untilMs)
      throw new EngineUnavailable('not everything that the colleague made could be ended in time');
  };
  const ended: MadeCredential[] = [];
  for (;;) {
    const rows = await list(maker.colleague, { lastEpoch: maker.epoch, limit: maxRowsPerRound });
    if (rows.length === 0) return groupCredentials(ended);
    assertTimeIsLeft();
    if (rows.some(({ kind }) => kind === 'user_token')) await endUserTokens(deps, maker);
    const valid = new Set(await filterValidCredentials(deps, maker.colleague, rows));
    await endEach(
      deps,
      maker,
      rows.filter((row) => !valid.has(row)),
    );
    for (const group of Map.groupBy(valid, ({ env, kind }) => `${env} ${kind}`).values())
      for (const chunk of chunkArray(group, maxIdsPerEntry)) {
        assertTimeIsLeft();
        ended.push(...(await endRecorded(deps, by, maker, chunk)));
      }
    // There may be more, and a phone may have turned a mobile token into a session in the meantime.
  }
}

async function endRecorded(
  deps: Deps,
  by: ActOrigin,
  maker: Maker,
  rows: readonly MadeCredential[],
): Promise<MadeCredential[]> {
  const [first] = rows;
  if (!first) return [];
  const act = { ...by, env: first.env, action: endActions[first.kind], ids: [maker.colleague] };
  return recordAct(
    deps,
    act,
    () => endEach(deps, maker, rows),
    (ended) => ended.map(({ id }) => id),
  );
}

/** Returns those that had not ended by themselves. */
async function endEach(deps: Deps, { colleague }: Maker, rows: readonly MadeCredential[]): Promise<MadeCredential[]> {
  const ended: MadeCredential[] = [];
  for (const chunk of chunkArray(rows, parallelWrites))
    await awaitAll(
      chunk.map(async (row) => {
        if (await endOne(deps, colleague, row)) ended.push(row);
        await deps.store.commit(madeCredentialRows(deps.store).buildRemove({ colleague }, row));
      }),
    );
  return ended;
}

async function endOne(deps: Deps, colleague: string, { kind, id, user }: MadeCredential): Promise<boolean> {
  switch (kind) {
    case 'sdk_session':
      return endSessionOf(deps, colleague, user, id);
    case 'mobile_token':
      return commitConditionally(deps.store, mobileTokenRows(deps.store).buildRedeem({ hash: id, user }));
    case 'connect_link':
    case 'user_token':
      return true;
  }
}
