// The entry of `cdk`: the stack of the function manifest, checked against the AWS Solutions rules.
import path from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { functions, queues } from '../functions.ts';
import { optionsFromContext } from './deployment-options.ts';
import { createDaybookStack } from './stack.ts';

const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
const stackName: unknown = app.node.tryGetContext('stackName');
createDaybookStack(app, typeof stackName === 'string' ? stackName : 'Daybook', {
  functions,
  queues,
  dist: path.join(import.meta.dirname, '../../dist'),
  options: optionsFromContext(app.node),
});
