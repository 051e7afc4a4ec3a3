// Tests the device commands against a deployment: they receive its table and its secret, and no
// queue name.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sweepWorker } from '../../../functions/workers/sweep.ts';
import { localRegion } from '../../../infra/local/engines/connection.ts';
import { readUserContext } from '../../../shared/users/user-context.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import { listPendingOwners } from '../../harness/pending-work.ts';
import { runWriter } from '../../harness/run-writer.ts';
import { answer, scriptedServer } from '../../unit/platform/scripted-server.ts';
import { dataFolder, daybook } from './command-line.ts';

let world: EngineDomainWorld;
beforeAll(async () => {
  world = await openEngineDomainWorld();
});
afterAll(() => world.localTable.stop());

async function runAgainstDeployment(args: string[]) {
  const secrets = await scriptedServer(answer(200, { SecretString: 'a root secret of more than 32 characters' }));
  onTestFinished(() => secrets[Symbol.asyncDispose]());
  return daybook(dataFolder(), args, {
    DAYBOOK_TABLE: world.localTable.tableName,
    DAYBOOK_SECRET_ID: 'root',
    AWS_REGION: localRegion,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
    AWS_ENDPOINT_URL_DYNAMODB: world.localTable.endpoint,
  });
}

test("a device's data is replayed in a deployment: the command succeeds, and the sweep picks it up within two minutes", async () => {
  const user = await world.user();
  await world.upload(user, 'apple_health', {
    time_zone: 'UTC',
    device: { name: 'Scale', model: 'S1', type: 'scale' },
    daily: [{ metric: 'weight', date: '2026-03-10', value: 71, unit: 'kg' }],
  });
  await runWriter(world.deps, user);
  const [device] = (await readUserContext(world.deps, user))?.devices ?? [];
  const ran = await runAgainstDeployment(['devices', 'replay', '--user', user, '--device', String(device?.id)]);
  expect([ran.code, ran.err, ran.out]).toEqual([0, '', '1 payload will be processed again within two minutes.\n']);
  expect(await listPendingOwners(world.deps.store, 'user')).toEqual([user]);
  world.sent.length = 0;
  world.clock.advance(119_000);
  await sweepWorker(world.deps)();
  expect(world.sent).toContainEqual({ queue: 'user', body: { user_id: user } });
});

test('a device that does not exist in a deployment exits with 1 and an error', async () => {
  const user = await world.user();
  const ran = await runAgainstDeployment(['devices', 'replay', '--user', user, '--device', 'dev_nothing']);
  expect([ran.code, ran.out, ran.err]).toEqual([1, '', 'Device dev_nothing not found.\n']);
});
