// The laptop gives each function what the stack gives it, and nothing else: a function that reads what
// only one of them sets would take another way in the cloud than in the tests.
import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { functions, queues } from '../../../infra/functions.ts';
import { functionEnvironment } from '../../../infra/local/function-environment.ts';
import { settingNames } from '../../../shared/platform/settings.ts';
import { forKeeps, synthesize } from './synthesize.ts';
import { ofType, type Template } from './template.ts';

const Variables = z.object({ Variables: z.record(z.string(), z.unknown()) });
const options = { ...forKeeps, baseUrl: 'https://api.example.com', mailSender: 'Team <no-reply@example.com>' };
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
const onALaptop: Readonly<Record<string, string | undefined>> = {
  [settingNames.secret]: settingNames.secretValue,
  [settingNames.providersSecret]: oura,
  [settingNames.vaultKey]: undefined,
};
const named = (name: string): string[] => [name in onALaptop ? onALaptop[name] : name].flatMap((one) => one ?? []);

test.each(Object.entries(functions))('%s is given the same', (_name, spec) => {
  const [, deployed] =
    ofType(template, 'AWS::Lambda::Function').find(
      ([, { Properties }]) => Properties['Description'] === spec.whenItFails,
    ) ?? [];
  const { Variables: variables } = Variables.parse(deployed?.Properties['Environment']);
  const local = functionEnvironment(spec, {
    host,
    rootSecret: 'a secret',
    mailEndpoint: 'http://mail',
    mailSender: options.mailSender,
    tableEpoch: 'an epoch',
    env: { [oura]: '{}' },
  });
  const ours = (names: string[]) => names.filter((name) => name.startsWith('DAYBOOK_')).sort();
  expect(ours(Object.keys(local))).toEqual(ours(Object.keys(variables)).flatMap(named).sort());
});
