// What a request for a sign-in link costs, which anybody can send.
import { afterAll, expect, test } from 'vitest';
import * as z from 'zod';
import { createColleague, hashColleagueEmail } from '../../../shared/console/colleagues.ts';
import { sendSignInLink } from '../../../shared/console/send-sign-in-link.ts';
import { requestSignInLink } from '../../../shared/console/sign-in-requests.ts';
import type { Meter } from '../../../shared/platform/ports.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { openEngineDomainWorld } from '../../harness/domain-world.ts';

const calls: Parameters<Meter>[0][] = [];
const world = await openEngineDomainWorld((call) => calls.push(call));
afterAll(() => world.localTable.stop());

function takeCosts() {
  const newCalls = calls.splice(0);
  return {
    calls: newCalls.map(({ operation }) => operation),
    write: newCalls.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
  };
}

test('a request costs the same for every address, and less afterwards if nobody has it', async () => {
  const jobs: { sign_in_request_id: string }[] = [];
  const deps: Deps = {
    ...world.deps,
    deployment: { ...world.deps.deployment, mailSender: 'no-reply@example.com' },
    mail: { send: async () => undefined },
    queue: {
      ...world.deps.queue,
      send: async (_queue, job) => {
        jobs.push(z.object({ sign_in_request_id: z.string() }).parse(job));
      },
    },
  };
  const known = 'known@example.com';
  await createColleague(deps, world.caller.account, { email: known, role: 'support' });
  const measure = async (email: string) => {
    takeCosts();
    const emailHash = hashColleagueEmail(deps, email);
    await requestSignInLink(deps, { emailHash, origin: 'http://localhost', network: '192.0.2.0/24' });
    const requested = takeCosts();
    const [job = { sign_in_request_id: '' }] = jobs.splice(0);
    await sendSignInLink(deps, job);
    return { requested, sent: takeCosts() };
  };
  const requested = { calls: ['PutItem'], write: 2 };
  expect(await measure('nobody@example.com')).toEqual({
    requested,
    sent: { calls: ['GetItem', 'Query', 'DeleteItem'], write: 2 },
  });
  expect(await measure(known)).toEqual({
    requested,
    sent: {
      calls: ['GetItem', 'Query', 'GetItem', 'PutItem', 'UpdateItem', 'GetItem', 'TransactWriteItems', 'DeleteItem'],
      write: 8,
    },
  });
});
