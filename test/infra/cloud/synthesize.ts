// Bundles a map and synthesizes its stack with the checks of the real app.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import settings from '../../../cdk.json' with { type: 'json' };
import { bundleFunctions } from '../../../infra/build/bundle.ts';
import type { DeploymentOptions } from '../../../infra/cloud/options.ts';
import { type DaybookMap, daybookStack } from '../../../infra/cloud/stack.ts';
import { Template } from './template.ts';

export const forKeeps: DeploymentOptions = { ephemeral: false, emulator: false };

export async function synthesize(
  map: Pick<DaybookMap, 'functions' | 'queues'>,
  options: DeploymentOptions = forKeeps,
): Promise<Template> {
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-synth-'));
  try {
    const dist = path.join(folder, 'dist');
    await bundleFunctions(map.functions, dist);
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
