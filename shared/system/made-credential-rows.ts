// One row per credential that a colleague made, under the colleague, so that they can be listed and
// ended with the colleague's access. A second row in the partition of the credential's user points to
// it, so that it is erased with the user. What API keys make has no such rows.
import * as z from 'zod';
import { awaitAll } from '../platform/await-all.ts';
import { writeConditionally } from '../platform/conditional-write.ts';
import { TransactionCanceled, type Write } from '../platform/ports.ts';
import { dayMs } from '../platform/time/local-day.ts';
import { type Caller, ColleagueRole, Environment } from './caller.ts';
import { consoleKeys } from './console-keys.ts';
import { Failure } from './failure.ts';
import { madeCredentialKey, madeCredentialPartition, madeCredentialPointer } from './made-credential-keys.ts';
import type { Maker } from './maker.ts';
import { mayChange } from './role-rights.ts';
import { repository, type Store } from './store.ts';

export const MadeCredentialKind = z.enum(['connect_link', 'user_token', 'mobile_token', 'sdk_session']).meta({
  id: 'MadeCredentialKind',
  description: 'A kind of credential that colleagues make for users.',
  examples: ['sdk_session'],
});
export type MadeCredentialKind = z.infer<typeof MadeCredentialKind>;

export const MadeCredential = z.object({
  kind: MadeCredentialKind,
  /** The id of the credential; for a mobile token, its hash. */
  id: z.string(),
  user: z.string(),
  env: Environment,
  /** The `makerEpoch` of its maker when it was made. */
  epoch: z.number(),
  expiresMs: z.number(),
});
export type MadeCredential = z.infer<typeof MadeCredential>;
export type NewMadeCredential = Omit<MadeCredential, 'epoch'>;

/**
 * How many days a row outlasts its credential. A phone renews its session before the session's row is
 * renewed here; if the second write is lost, the row lasts until the phone's next renewal.
 */
const daysAfterExpiry: Readonly<Record<MadeCredentialKind, number>> = {
  connect_link: 1,
  user_token: 1,
  mobile_token: 1,
  sdk_session: 61,
};
const computeTtl = (kind: MadeCredentialKind, expiresMs: number): number =>
  Math.ceil((expiresMs + daysAfterExpiry[kind] * dayMs) / 1000);

const makingRoles = ColleagueRole.options.filter((role) => mayChange(role, 'credentials'));

export const madeCredentialRows = repository(({ table }) => {
  const listKeys = (colleague: string, { kind, id, user }: Pick<MadeCredential, 'kind' | 'id' | 'user'>) => [
    madeCredentialKey({ colleague, kind, id }),
    madeCredentialPointer.key(user, { colleague, kind, id }),
  ];

  const buildInsert = ({ colleague, epoch }: Maker, credential: NewMadeCredential): Write[] =>
    listKeys(colleague, credential).map((key) => ({
      kind: 'put',
      item: { ...key, ...credential, epoch, ttl: computeTtl(credential.kind, credential.expiresMs) },
    }));

  return {
    /** For what follows from a credential that was made before: the session of a mobile token. */
    buildInsert,
    /**
     * The rows of a credential that the caller makes now; none for API keys. The first write fails if
     * the colleague may no longer make it.
     */
    buildForCaller: ({ maker }: Pick<Caller, 'maker'>, credential: NewMadeCredential): Write[] =>
      maker === undefined ? [] : [buildMakerCheck(maker), ...buildInsert(maker, credential)],
    buildRemove: (
      maker: Pick<Maker, 'colleague'> | null,
      credential: Pick<MadeCredential, 'kind' | 'id' | 'user'>,
    ): Write[] => (maker === null ? [] : listKeys(maker.colleague, credential).map((key) => ({ kind: 'delete', key }))),
    /** Some may have expired or ended: the table deletes rows late. */
    async list(
      colleague: string,
      { lastEpoch = Infinity, limit = Infinity }: { lastEpoch?: number; limit?: number } = {},
    ): Promise<MadeCredential[]> {
      const found: MadeCredential[] = [];
      const items = table.queryAll({
        where: '#pk = :pk',
        values: { pk: madeCredentialPartition(colleague) },
        // By kind, user tokens first: one write ends them all, also when there is no time for more.
        newestFirst: true,
        consistent: true,
      });
      for await (const item of items) {
        const row = MadeCredential.parse(item);
        if (row.epoch <= lastEpoch) found.push(row);
        if (found.length === limit) break;
      }
      return found;
    },
    /** The credential was renewed. Writes nothing for one that was ended in the meantime. */
    async extend(
      { colleague }: Maker,
      credential: Pick<MadeCredential, 'kind' | 'id' | 'user'>,
      expiresMs: number,
    ): Promise<void> {
      await awaitAll(
        listKeys(colleague, credential).map((key) =>
          writeConditionally(table, {
            kind: 'update',
            key,
            update: 'SET #expiresMs = :expiresMs, #ttl = :ttl',
            condition: 'attribute_exists(#pk)',
            values: { expiresMs, ttl: computeTtl(credential.kind, expiresMs) },
          }),
        ),
      );
    },
  };
});

/** Fails if the colleague was removed, or may no longer make what they could when they were admitted. */
export const buildMakerCheck = ({ account, colleague, epoch }: Maker): Write => ({
  kind: 'check',
  key: consoleKeys.colleague(account, colleague),
  condition: `#makerEpoch = :makerEpoch AND #role IN (${makingRoles.map((role) => `:${role}`).join(', ')})`,
  values: { makerEpoch: epoch, ...Object.fromEntries(makingRoles.map((role) => [role, role])) },
});

/**
 * Commits a credential with its rows. `makerWrites` is empty or begins with the check of its maker; the
 * failures of a rejected transaction are those of `writes`.
 */
export async function commitWithMakerCheck(store: Store, writes: Write[], makerWrites: Write[]): Promise<void> {
  try {
    await store.commit([...writes, ...makerWrites]);
  } catch (cause) {
    if (!(cause instanceof TransactionCanceled) || makerWrites.length === 0 || !cause.failures[writes.length])
      throw cause;
    throw new Failure(
      'insufficient_scope',
      'Your access to the console has changed in the meantime. Load the page again.',
      { cause },
    );
  }
}
