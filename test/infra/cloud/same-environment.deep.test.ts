// The local host gives each function the same environment as the stack. A function that reads a
// setting that only one of them sets would behave differently in the cloud and in the tests.
import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { functions, queues } from '../../../infra/functions.ts';
import { buildFunctionEnvironment } from '../../../infra/local/function-environment.ts';
import { settingNames } from '../../../shared/platform/setting-names.ts';
import { permanentOptions, synthesize } from './synthesize.ts';
import { resourcesOfType, type Template } from './template.ts';

const Variables = z.object({ Variables: z.record(z.string(), z.unknown()) });
const options = { ...permanentOptions, baseUrl: 'https://api.example.com', mailSender: 'Team <no-reply@example.com>' };
const host = {
  base_url: options.baseUrl,
  table_endpoint: 'http://table',
  table_name: 'daybook',
  queue_endpoint: 'http://queues',
  queue_urls: Object.fromEntries(Object.keys(queues).map((name) => [name, `http://queues/${name}`])),
  bus_endpoint: 'http://bus',
};
const oura = settingNames.provider('oura');

let template: Template;
beforeAll(async () => {
  template = await synthesize({ functions, queues }, options);
});

/**
 * The cloud sets the names of secrets where the local host sets their values. Locally, the root
 * secret serves as the token key.
 */
const localSettingNames: Readonly<Record<string, string | undefined>> = {
  [settingNames.secret]: settingNames.secretValue,
  [settingNames.providersSecret]: oura,
  [settingNames.vaultKey]: undefined,
};
const localNames = (name: string): string[] =>
  [name in localSettingNames ? localSettingNames[name] : name].flatMap((one) => one ?? []);

test.each(Object.entries(functions))('%s has the same settings locally and in the cloud', (_name, spec) => {
  const [, deployed] =
    resourcesOfType(template, 'AWS::Lambda::Function').find(
      ([, { Properties }]) => Properties['Description'] === spec.whenItFails,
    ) ?? [];
  const { Variables: variables } = Variables.parse(deployed?.Properties['Environment']);
  const local = buildFunctionEnvironment(spec, {
    host,
    rootSecret: 'a secret',
    mailEndpoint: 'http://mail',
    mailSender: options.mailSender,
    tableEpoch: 'an epoch',
    env: { [oura]: '{}' },
  });
  const ours = (names: string[]) => names.filter((name) => name.startsWith('DAYBOOK_')).sort();
  expect(ours(Object.keys(local))).toEqual(ours(Object.keys(variables)).flatMap(localNames).sort());
});
