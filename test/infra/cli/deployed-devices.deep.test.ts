// The commands about devices against a deployment: they are told its table and its secret, and the
// name of no queue.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sweepWorker } from '../../../functions/workers/sweep.ts';
import { localRegion } from '../../../infra/local/engines/connection.ts';
import { subjectOf } from '../../../shared/users/subject.ts';
import { owedTo } from '../../harness/owed.ts';
import { openWorkshop, type Workshop } from '../../harness/worker-deps.ts';
import { write } from '../../harness/write-person.ts';
import { answer, scriptedServer } from '../../unit/platform/scripted-server.ts';
import { dataFolder, daybook } from './command-line.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.place.stop());

async function deployed(args: string[]) {
  const secrets = await scriptedServer(answer(200, { SecretString: 'a root secret of more than 32 characters' }));
  onTestFinished(() => secrets[Symbol.asyncDispose]());
  return daybook(dataFolder(), args, {
    DAYBOOK_TABLE: shop.place.tableName,
    DAYBOOK_SECRET_ID: 'root',
    AWS_REGION: localRegion,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
    AWS_ENDPOINT_URL_DYNAMODB: shop.place.endpoint,
  });
}

test('what a device brought is replayed in a deployment: the command succeeds, and the sweep finds it within two minutes', async () => {
  const user = await shop.user();
  await shop.upload(user, 'apple_health', {
    time_zone: 'UTC',
    device: { name: 'Scale', model: 'S1', type: 'scale' },
    daily: [{ metric: 'weight', date: '2026-03-10', value: 71, unit: 'kg' }],
  });
  await write(shop.deps, user);
  const [device] = (await subjectOf(shop.deps, user))?.devices ?? [];
  const ran = await deployed(['devices', 'replay', '--user', user, '--device', String(device?.id)]);
  expect([ran.code, ran.err, ran.out]).toEqual([0, '', '1 payload will be processed again within two minutes.\n']);
  expect(await owedTo(shop.deps.store, 'person')).toEqual([user]);
  shop.sent.length = 0;
  shop.clock.advance(119_000);
  await sweepWorker(shop.deps)();
  expect(shop.sent).toContainEqual({ queue: 'person', body: { user_id: user } });
});

test('a device that a deployment does not have ends with 1 and a sentence', async () => {
  const user = await shop.user();
  const ran = await deployed(['devices', 'replay', '--user', user, '--device', 'dev_nothing']);
  expect([ran.code, ran.out, ran.err]).toEqual([1, '', 'Device dev_nothing not found.\n']);
});
