// The laptop gives each function what the stack gives it, and nothing else: a function that reads what
// only one of them sets would take another way in the cloud than in the tests.
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

/** The cloud names secrets where the laptop has them; the key of tokens is the laptop's root secret. */
const localSettingNames: Readonly<Record<string, string | undefined>> = {
  [settingNames.secret]: settingNames.secretValue,
  [settingNames.providersSecret]: oura,
  [settingNames.vaultKey]: undefined,
};
const localNames = (name: string): string[] =>
  [name in localSettingNames ? localSettingNames[name] : name].flatMap((one) => one ?? []);

test.each(Object.entries(functions))('%s is given the same', (_name, spec) => {
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
