// The HTTP API: one `ANY` route per path of the function manifest (the function responds with 405),
// and a fallback for all other paths.
import { Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CfnStage,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Trigger } from '../function-spec.ts';
import { type DeploymentOptions, removalPolicy } from './deployment-options.ts';

export interface HttpFunction {
  name: string;
  trigger: Extract<Trigger, { kind: 'http' }>;
  lambda: LambdaFunction;
}

/**
 * Maps each path to its function. Two functions with the same path are an error in the function
 * manifest.
 */
function mapPathOwners(functions: readonly Pick<HttpFunction, 'name' | 'trigger'>[]): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const { name, trigger } of functions) {
    for (const { path } of trigger.routes) {
      const owner = owners.get(path) ?? name;
      if (owner !== name)
        throw new Error(`Both ${owner} and ${name} have routes on ${path}: a path belongs to one function.`);
      owners.set(path, owner);
    }
  }
  return owners;
}

function findFallback(functions: readonly HttpFunction[]): string {
  const [fallback, ...more] = functions.filter(({ trigger }) => trigger.fallback);
  if (!fallback || more.length > 0)
    throw new Error('Exactly one function in the function manifest must be the fallback of the API.');
  return fallback.name;
}

export function createHttpApi(
  scope: Construct,
  functions: readonly HttpFunction[],
  options: DeploymentOptions,
): HttpApi {
  const api = new HttpApi(scope, 'Api', { description: 'Daybook', createDefaultStage: false });
  const owners = mapPathOwners(functions);
  const fallback = findFallback(functions);
  Validations.of(api).acknowledge({
    id: 'AwsSolutions::AwsSolutions-APIG4',
    reason:
      'The functions authenticate. Key check, revocation and rate limit are one conditional write, which an authorizer would duplicate.',
  });
  for (const { name, lambda } of functions) {
    const integration = new HttpLambdaIntegration(`${lambda.node.id}Integration`, lambda, {
      // One permission per function: one per route would exceed the size limit of the function's
      // policy.
      scopePermissionToRoute: false,
    });
    for (const [path, owner] of owners) {
      if (owner === name) api.addRoutes({ path, methods: [HttpMethod.ANY], integration });
    }
    if (name === fallback)
      new HttpRoute(api, 'Fallback', { httpApi: api, routeKey: HttpRouteKey.DEFAULT, integration });
  }
  const stage = new HttpStage(scope, 'ApiStage', {
    httpApi: api,
    stageName: '$default',
    autoDeploy: true,
    // The account's default ceiling. The limit that callers reach is the product's own, per key.
    throttle: { rateLimit: 10_000, burstLimit: 5_000 },
    accessLogSettings: {
      destination: new LogGroupLogDestination(createAccessLogGroup(scope, options)),
      format: accessLogFormat,
    },
  });
  applyThrottling(stage, functions, api);
  return api;
}

/**
 * Sets the rate limits of routes that have their own. CloudFormation must create the routes first.
 */
function applyThrottling(stage: HttpStage, functions: readonly HttpFunction[], api: HttpApi): void {
  const settings = functions.flatMap(({ trigger }) =>
    trigger.routes.flatMap(({ path, maxPerSecond = trigger.maxPerSecond }) =>
      maxPerSecond === undefined
        ? []
        : [[`ANY ${path}`, { ThrottlingRateLimit: maxPerSecond, ThrottlingBurstLimit: maxPerSecond }]],
    ),
  );
  const resource = stage.node.defaultChild;
  if (settings.length === 0 || !(resource instanceof CfnStage)) return;
  resource.routeSettings = Object.fromEntries(settings);
  for (const route of api.node.findAll()) if (route instanceof HttpRoute) stage.node.addDependency(route);
}

const createAccessLogGroup = (scope: Construct, options: DeploymentOptions): LogGroup =>
  new LogGroup(scope, 'ApiLogs', { retention: RetentionDays.ONE_MONTH, removalPolicy: removalPolicy(options) });

/** Contains neither paths nor IP addresses, which would reveal who read whose health data. */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    request_id: '$context.requestId',
    time: '$context.requestTime',
    method: '$context.httpMethod',
    route: '$context.routeKey',
    status: '$context.status',
    bytes: '$context.responseLength',
    milliseconds: '$context.responseLatency',
    error: '$context.integrationErrorMessage',
  }),
);
