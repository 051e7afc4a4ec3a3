import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDeps } from '../../../functions/runtime/deps.ts';
import type { LocalTable } from '../../../infra/local/local-table.ts';
import { createAccount } from '../../../shared/accounts/accounts.ts';
import { currentSigningKey, publicSigningKeys } from '../../../shared/accounts/signing-keys.ts';
import { deleteUser } from '../../../shared/erasure/delete-user.ts';
import { EngineUnavailable } from '../../../shared/platform/ports.ts';
import type { Caller } from '../../../shared/system/caller.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { keys } from '../../../shared/system/keys.ts';
import { openStore } from '../../../shared/system/store.ts';
import { getUser } from '../../../shared/users/devices.ts';
import { createUser, updateUser } from '../../../shared/users/users.ts';
import { testClock } from '../../harness/clock.ts';
import { startTable } from '../system/engines.ts';

const day = 24 * 3600 * 1000;
const clock = testClock();
const sent: { queue: string; body: unknown }[] = [];
let localTable: LocalTable;
/** Creates `count` functions over one table, each with its own memory. */
let functions: (count: number) => Deps[];
let caller: Caller;

beforeAll(async () => {
  localTable = await startTable();
  functions = (count) =>
    Array.from({ length: count }, () =>
      makeDeps({
        table: localTable.table,
        queue: {
          send: async (queue, body) => void sent.push({ queue, body }),
          sendAll: async () => {},
          postpone: async () => {},
        },
        bus: { publish: async () => {} },
        rootSecret: 'a root secret of more than 32 characters',
        clock,
        log: () => {},
        deployment: { kind: 'local' },
      }),
    );
  const { account_id } = await createAccount(onlyOne(), { name: 'Ada' });
  caller = { kind: 'api_key', account: account_id, env: 'live', form: 2 };
});
afterAll(() => localTable.stop());

function onlyOne(): Deps {
  const [deps] = functions(1);
  if (!deps) throw new Error('there is no function');
  return deps;
}

test('functions that renew the signing key at the same moment all sign with a published key', async () => {
  await currentSigningKey(onlyOne());
  for (let round = 0; round < 3; round++) {
    clock.advance(31 * day);
    const current = await Promise.all(functions(8).map(currentSigningKey));
    const published = (await publicSigningKeys(onlyOne())).map(({ kid }) => kid);
    for (const { kid } of current) expect(published).toContain(kid);
    expect(new Set(current.map(({ kid }) => kid)).size).toBe(1);
  }
});

test('the same update made by eight functions at once succeeds for all of them', async () => {
  const { id } = await createUser(onlyOne(), caller, { external_ref: 'before' });
  const changed = await Promise.all(
    functions(8).map((deps) => updateUser(deps, caller, id, { external_ref: 'after', timezone: 'Asia/Tokyo' })),
  );
  for (const user of changed) expect(user).toMatchObject({ id, external_ref: 'after', timezone: 'Asia/Tokyo' });
  expect(await getUser(onlyOne(), caller, id)).toMatchObject({ external_ref: 'after' });
});

test('an update that conflicts at every attempt is answered with a conflict, not with an internal error', async () => {
  const { id } = await createUser(onlyOne(), caller, {});
  const [slow, quick] = functions(2);
  if (!slow || !quick) throw new Error('there are fewer than two functions');
  let others = 0;
  const { table } = slow.store;
  const get: typeof table.get = async (key, options) => {
    const row = await table.get(key, options);
    if (key.sk === keys.user(id).sk) await updateUser(quick, caller, id, { profile: { weight_kg: 50 + others++ } });
    return row;
  };
  const met = { ...slow, store: openStore({ ...table, get }, slow.clock) };
  await expect(updateUser(met, caller, id, { timezone: 'Asia/Tokyo' })).rejects.toThrow(EngineUnavailable);
  expect(others).toBeGreaterThan(10);
});

test('one of eight concurrent deletions is accepted, and the others find no user', async () => {
  const { id } = await createUser(onlyOne(), caller, {});
  const outcomes = await Promise.allSettled(functions(8).map((deps) => deleteUser(deps, caller, id)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'not_found' });
  expect(sent.filter(({ body }) => JSON.stringify(body).includes(id))).toEqual([
    { queue: 'user', body: { user_id: id } },
  ]);
});
