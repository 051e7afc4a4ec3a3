// One Lambda function with its own log group and its own role.
import path from 'node:path';
import { Duration, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { FunctionSpec } from '../function-spec.ts';
import { type DeploymentOptions, removalPolicy } from './deployment-options.ts';
import { toPascalCase } from './names.ts';

export interface FunctionInput {
  name: string;
  spec: FunctionSpec;
  /** The folder with the bundles, one subfolder per function. */
  dist: string;
  environment: Readonly<Record<string, string>>;
  grants: readonly PolicyStatement[];
}

export function createLambdaFunction(
  scope: Construct,
  input: FunctionInput,
  options: DeploymentOptions,
): LambdaFunction {
  const { name, spec } = input;
  const id = `${toPascalCase(name)}Function`;
  const logGroup = new LogGroup(scope, `${id}Logs`, {
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: removalPolicy(options),
  });
  const logs = new PolicyStatement({
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [logGroup.logGroupArn],
  });
  const role = new Role(scope, `${id}Role`, {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: { Grants: new PolicyDocument({ statements: [logs, ...input.grants] }) },
  });
  if (spec.trigger.kind === 'stream') {
    Validations.of(role).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
      reason: 'Reading a stream needs dynamodb:ListStreams, which does not support a narrower resource.',
    });
  }
  if (spec.mails && options.emulator) {
    Validations.of(role).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
      reason:
        "The emulator only supports all resources for ses:SendEmail; on AWS the resource is the sender's identity.",
    });
  }
  return new LambdaFunction(scope, id, {
    description: spec.whenItFails,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: 'index.handler',
    // Source maps are not deployed: nothing reads them there, and a moved source line would
    // otherwise count as new code.
    code: Code.fromAsset(path.join(input.dist, name), { exclude: ['*.map'] }),
    memorySize: spec.memoryMb,
    timeout: Duration.seconds(spec.timeoutSeconds),
    environment: { ...input.environment },
    logGroup,
    role,
  });
}
