// Bundles a function manifest and synthesizes its stack with the checks of the real app.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import settings from '../../../cdk.json' with { type: 'json' };
import { loadBuiltFunctions } from '../../../infra/build/built-functions.ts';
import { bundleFunctions } from '../../../infra/build/bundle.ts';
import type { DeploymentOptions } from '../../../infra/cloud/deployment-options.ts';
import { createDaybookStack, type DaybookStackInput } from '../../../infra/cloud/stack.ts';
import { functions as realFunctions } from '../../../infra/functions.ts';
import { Template } from './template.ts';

export const permanentOptions: DeploymentOptions = { ephemeral: false, emulator: false };

type SynthesizedManifest = Pick<DaybookStackInput, 'functions' | 'queues'>;

const templates = new Map<string, Promise<Template>>();
const bundleNumbers = new Map<SynthesizedManifest['functions'], number>();

/**
 * Test files of one process share the template of a manifest and options, so it must not be
 * modified.
 */
export function synthesize(map: SynthesizedManifest, options: DeploymentOptions = permanentOptions): Promise<Template> {
  const number = bundleNumbers.get(map.functions) ?? bundleNumbers.size;
  bundleNumbers.set(map.functions, number);
  const cacheKey = JSON.stringify([number, map.queues, options]);
  const template = templates.get(cacheKey) ?? synthesizeNow(map, options);
  templates.set(cacheKey, template);
  return template;
}

async function synthesizeNow(map: SynthesizedManifest, options: DeploymentOptions): Promise<Template> {
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-synth-'));
  try {
    const dist = await bundleManifest(map, folder);
    const app = new App({
      outdir: path.join(folder, 'cdk.out'),
      analyticsReporting: false,
      context: { ...settings.context, 'aws:cdk:enable-path-metadata': true },
    });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    const stack = createDaybookStack(app, 'Daybook', { ...map, dist, options });
    return Template.parse(app.synth().getStackByName(stack.stackName).template);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bundleManifest({ functions }: SynthesizedManifest, folder: string): Promise<string> {
  if (functions === realFunctions) {
    const [file = ''] = (await loadBuiltFunctions()).values();
    return path.join(file, '../..');
  }
  const dist = path.join(folder, 'dist');
  await bundleFunctions(functions, dist);
  return dist;
}
