// Which functions and queues each alarm is about.
import type { Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { FunctionSpec } from '../function-spec.ts';
import { Alarms } from './alarms.ts';
import type { DeploymentOptions } from './options.ts';
import { providerTroubles } from './provider-troubles.ts';
import type { DeadLetters } from './queues.ts';

export interface Watched {
  functions: Readonly<Record<string, FunctionSpec>>;
  made: ReadonlyMap<string, LambdaFunction>;
  deadLetters: DeadLetters;
  api: HttpApi;
}

export function addAlarms(
  stack: Stack,
  options: DeploymentOptions,
  { functions, made, deadLetters, api }: Watched,
): void {
  const alarms = new Alarms(stack, options);
  const where = (isWanted: (spec: FunctionSpec) => boolean): LambdaFunction[] =>
    Object.entries(functions).flatMap(([name, spec]) => (isWanted(spec) ? (made.get(name) ?? []) : []));

  alarms.onServerErrors(api);
  for (const dead of [deadLetters.standard, deadLetters.ordered]) if (dead) alarms.onDeadLetters(dead);
  alarms.onCrashes(where(({ trigger }) => trigger.kind !== 'http'));
  const sweep = made.get('sweep');
  if (sweep) {
    alarms.onSweep(sweep, functions['sweep']?.whenItFails ?? '');
    alarms.onOverdueWork(sweep.logGroup);
  }
  const person = made.get('person');
  if (person) alarms.onSetAside(person.logGroup);
  if (options.mailSender)
    for (const { logGroup } of where(({ mails }) => mails === true)) alarms.onMailTrouble(logGroup);
  for (const trouble of providerTroubles)
    alarms.onTrouble(
      trouble,
      trouble.functions.flatMap((name) => made.get(name) ?? []),
    );
}
