// A colleague who made more credentials than one round ends, or than one request has time for.
import { beforeEach, expect, test } from 'vitest';
import { createUserTokenAdmission } from '../../../shared/accounts/admit-user-token.ts';
import { createUserTokenIssuer } from '../../../shared/accounts/tokens.ts';
import { createUserTokenVerifier } from '../../../shared/accounts/user-token-verifier.ts';
import { listAudit } from '../../../shared/audit/list-audit.ts';
import type { ColleagueCaller } from '../../../shared/console/admit-session.ts';
import { removeColleagueAndEndCredentials } from '../../../shared/credentials/end-colleague.ts';
import { issueMobileToken } from '../../../shared/mobile/mobile-token.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { createUser } from '../../../shared/users/users.ts';
import { type ConsoleWorld, consoleRequest, openConsoleWorld } from '../../harness/console-world.ts';

const count = 620;
let world: ConsoleWorld;
let owner: ColleagueCaller;
let maker: ColleagueCaller;
let user: string;
beforeEach(async () => {
  world = await openConsoleWorld();
  owner = await world.callerOf();
  maker = await world.callerOf('developer');
  user = (await createUser(world.deps, { kind: 'api_key', account: world.account, env: 'live', form: 2 }, {})).id;
});

const userToken = () => createUserTokenIssuer(world.deps)(maker, user);
const remove = (deps: Deps) => {
  const by = { account: world.account, actor: owner.actor, request: consoleRequest };
  return removeColleagueAndEndCredentials(deps, by, maker.colleagueId, 'end');
};
const madeRows = () => world.table.rows().filter(({ pk }) => String(pk).startsWith('MADE#'));

test('hundreds of credentials are read in rounds, and all of them end', async () => {
  for (let made = 0; made < count; made++) await userToken();
  const read: number[] = [];
  const deps = world.withTable({
    ...world.table,
    async *queryAll(query) {
      const isRound = String(query.values['pk']).startsWith('MADE#');
      const round = isRound ? read.push(0) - 1 : -1;
      for await (const item of world.table.queryAll(query)) {
        if (isRound) read[round] = (read[round] ?? 0) + 1;
        yield item;
      }
    },
  });
  expect((await remove(deps)).credentials).toMatchObject([{ kind: 'user_token', count }]);
  expect(madeRows()).toEqual([]);
  expect(read.filter((rows) => rows > 0)).toEqual([500, 120]);
  const caller = { account: world.account, env: 'live', kind: 'api_key', form: 2 } as const;
  const { entries } = await listAudit(world.deps, caller, { limit: 100 });
  // Entries have at most 200 ids: three for the first round, and one for the second.
  expect(entries.filter(({ action }) => action === 'user_token.ended')).toHaveLength(4);
});

test('they end in several requests if one runs out of time, user tokens in the first one', async () => {
  const { token } = await userToken();
  for (let made = 1; made < count; made++) await issueMobileToken(world.deps, maker, { userId: user });
  const slow = world.withTable({
    ...world.table,
    async transact(writes) {
      if (writes.some((write) => write.kind === 'delete')) world.clock.advance(10);
      return world.table.transact(writes);
    },
  });
  await expect(remove(slow)).rejects.toThrow('in time');
  // 200 take four seconds here, and the time is checked before each 200.
  expect(madeRows()).toHaveLength(count - 1 - 400);
  const claims = await createUserTokenVerifier(world.deps)(token);
  await expect(createUserTokenAdmission(world.deps).admit(claims)).rejects.toMatchObject({ code: 'invalid_token' });
  await remove(slow);
  expect(madeRows()).toEqual([]);
});
