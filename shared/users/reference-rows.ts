// The callers' own references. Each is reserved for one user of an environment, and the reservation
// is also an entry of the index by which references are found by their beginning. An index entry
// costs a create or a change one write unit; a row of its own would cost two in the transaction.
import * as z from 'zod';
import type { Write } from '../platform/ports.ts';
import type { Environment } from '../system/caller.ts';
import { keys, lists } from '../system/keys.ts';
import { repository } from '../system/store.ts';

interface ReferenceOwner {
  id: string;
  account: string;
  env: Environment;
}

/** A sort key has at most 1,024 bytes. Longer references are compared in full when they are read. */
const maxFoldedLength = 200;

/** The same for spellings that differ in case or in Unicode form only. */
export const foldReference = (reference: string): string => reference.normalize('NFKC').toLowerCase();

const toIndexText = (reference: string): string => foldReference(reference).slice(0, maxFoldedLength);

export const buildReserveReference = ({ id, account, env }: ReferenceOwner, reference: string): Write => ({
  kind: 'put',
  item: {
    ...keys.reference(account, env, reference),
    user: id,
    listPk: lists.references(account, env),
    listSk: `${toIndexText(reference)}#${id}`,
  },
  condition: 'attribute_not_exists(#pk)',
});

export const buildReleaseReference = ({ id, account, env }: ReferenceOwner, reference: string): Write => ({
  kind: 'delete',
  key: keys.reference(account, env, reference),
  condition: '#user = :user',
  values: { user: id },
});

const IndexEntry = z.object({ listSk: z.string() });

export const referenceRows = repository(({ table }) => ({
  /** The users whose references begin with this text, in the order of the references. */
  async listUsersByPrefix(account: string, env: Environment, prefix: string, limit: number): Promise<string[]> {
    const { items } = await table.query({
      index: 'by-list',
      where: '#listPk = :list AND begins_with(#listSk, :prefix)',
      values: { list: lists.references(account, env), prefix: toIndexText(prefix) },
      limit,
    });
    return items.map((item) => {
      const { listSk } = IndexEntry.parse(item);
      return listSk.slice(listSk.lastIndexOf('#') + 1);
    });
  },
}));
