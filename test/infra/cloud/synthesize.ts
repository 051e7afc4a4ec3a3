// Bundles a map and synthesizes its stack with the checks of the real app.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import settings from '../../../cdk.json' with { type: 'json' };
import { builtFunctions } from '../../../infra/build/built-functions.ts';
import { bundleFunctions } from '../../../infra/build/bundle.ts';
import type { DeploymentOptions } from '../../../infra/cloud/options.ts';
import { type DaybookMap, daybookStack } from '../../../infra/cloud/stack.ts';
import { functions as realFunctions } from '../../../infra/functions.ts';
import { Template } from './template.ts';

export const forKeeps: DeploymentOptions = { ephemeral: false, emulator: false };

type SynthesizedMap = Pick<DaybookMap, 'functions' | 'queues'>;

const made = new Map<string, Promise<Template>>();
const bundled = new Map<SynthesizedMap['functions'], number>();

/** Files of one process that ask for the same map and options share its template, so nobody changes it. */
export function synthesize(map: SynthesizedMap, options: DeploymentOptions = forKeeps): Promise<Template> {
  const number = bundled.get(map.functions) ?? bundled.size;
  bundled.set(map.functions, number);
  const asked = JSON.stringify([number, map.queues, options]);
  const template = made.get(asked) ?? synthesizeNow(map, options);
  made.set(asked, template);
  return template;
}

async function synthesizeNow(map: SynthesizedMap, options: DeploymentOptions): Promise<Template> {
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-synth-'));
  try {
    const dist = await bundlesOf(map, folder);
    const app = new App({
      outdir: path.join(folder, 'cdk.out'),
      analyticsReporting: false,
      context: { ...settings.context, 'aws:cdk:enable-path-metadata': true },
    });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    const stack = daybookStack(app, 'Daybook', { ...map, dist, options });
    return Template.parse(app.synth().getStackByName(stack.stackName).template);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bundlesOf({ functions }: SynthesizedMap, folder: string): Promise<string> {
  if (functions === realFunctions) {
    const [file = ''] = (await builtFunctions()).values();
    return path.join(file, '../..');
  }
  const dist = path.join(folder, 'dist');
  await bundleFunctions(functions, dist);
  return dist;
}
