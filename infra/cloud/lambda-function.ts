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
  /** Where the bundles lie, one folder per function. */
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
      reason: 'Following a stream needs dynamodb:ListStreams, which knows no narrower resource.',
    });
  }
  if (spec.mails && options.emulator) {
    Validations.of(role).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
      reason:
        'The emulator knows no narrower resource for ses:SendEmail than all; on AWS it is the identity of the sender.',
    });
  }
  return new LambdaFunction(scope, id, {
    description: spec.whenItFails,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: 'index.handler',
    // Maps stay here: nothing reads them there, and a line that moves in a source is no new code.
    code: Code.fromAsset(path.join(input.dist, name), { exclude: ['*.map'] }),
    memorySize: spec.memoryMb,
    timeout: Duration.seconds(spec.timeoutSeconds),
    environment: { ...input.environment },
    logGroup,
    role,
  });
}
