// Reads a synthesized template and finds what it must not contain.
import * as z from 'zod';

const Statement = z.object({
  Effect: z.enum(['Allow', 'Deny']),
  Action: z.union([z.string(), z.array(z.string())]).transform((actions) => [actions].flat()),
  Resource: z.unknown().transform((resources) => [resources].flat()),
  Condition: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
});
export type Statement = z.infer<typeof Statement>;

export const Resource = z.object({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  DependsOn: z
    .union([z.string(), z.array(z.string())])
    .transform((ids) => [ids].flat())
    .optional(),
  DeletionPolicy: z.string().optional(),
  UpdateReplacePolicy: z.string().optional(),
  Metadata: z.object({ 'aws:cdk:path': z.string().optional() }).optional(),
});
export type Resource = z.infer<typeof Resource>;

export const Template = z.object({ Resources: z.record(z.string(), Resource) });
export type Template = z.infer<typeof Template>;

export const resourcesOfType = (template: Template, type: string): [string, Resource][] =>
  Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);

/**
 * Returns a reference as text, such as `Table.Arn` or `Table.Arn/index/by-due`, with the construct
 * names of the stack instead of logical ids.
 */
export function referenceText(template: Template, value: unknown): string {
  if (typeof value === 'string') return value;
  const reference = z
    .union([
      z.object({ Ref: z.string() }).transform(({ Ref }) => resourceName(template, Ref)),
      z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }).transform(({ 'Fn::GetAtt': [id, attribute] }) => {
        return `${resourceName(template, id)}.${attribute}`;
      }),
      z
        .object({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) })
        .transform(({ 'Fn::Join': [glue, parts] }) => parts.map((part) => referenceText(template, part)).join(glue)),
    ])
    .safeParse(value);
  if (!reference.success) throw new Error(`Not a reference: ${JSON.stringify(value)}`);
  return reference.data;
}

/** Returns the construct name for a logical id. */
export function resourceName(template: Template, logicalId: string): string {
  const path = template.Resources[logicalId]?.Metadata?.['aws:cdk:path'];
  if (!path) return logicalId;
  return path
    .split('/')
    .slice(1)
    .join('/')
    .replace(/\/Resource$/, '');
}

const Document = z.object({ Statement: z.array(Statement) });
const RoleProperties = z.object({
  Policies: z.array(z.object({ PolicyDocument: Document })).default([]),
  ManagedPolicyArns: z.array(z.unknown()).default([]),
});

/** Lists every statement of every policy in the template, with its resource. */
export function listStatements(template: Template): { carrier: Resource; name: string; statement: Statement }[] {
  return Object.entries(template.Resources).flatMap(([id, carrier]) => {
    const documents =
      carrier.Type === 'AWS::IAM::Role'
        ? RoleProperties.parse(carrier.Properties).Policies.map(({ PolicyDocument }) => PolicyDocument)
        : [carrier.Properties['PolicyDocument'], carrier.Properties['KeyPolicy'], carrier.Properties['ResourcePolicy']]
            .filter((document) => document !== undefined)
            .map((document) => Document.parse(document));
    return documents.flatMap(({ Statement: statements }) =>
      statements.map((statement) => ({ carrier, name: resourceName(template, id), statement })),
    );
  });
}

/** Lists the grants of `functionName`, one `action on resource` per entry. */
export function listGrants(template: Template, functionName: string): string[] {
  const found = resourcesOfType(template, 'AWS::Lambda::Function').find(
    ([id]) => resourceName(template, id) === functionName,
  );
  if (!found) throw new Error(`The template has no function ${functionName}.`);
  const role = referenceText(template, found[1].Properties['Role']).replace(/\.Arn$/, '');
  return listStatements(template)
    .filter(({ name, statement }) => name === role && statement.Effect === 'Allow')
    .flatMap(({ statement: { Action, Resource } }) =>
      Action.flatMap((action) => Resource.map((resource) => `${action} on ${referenceText(template, resource)}`)),
    )
    .toSorted();
}

/** Actions that support no narrower resource than `*`. */
const unscopedActions: ReadonlySet<string> = new Set(['dynamodb:ListStreams']);

/** Deny statements may be as wide as needed. In a key's own policy `*` means that key. */
export function findWildcardGrants(template: Template): string[] {
  const fromStatements = listStatements(template)
    .filter(({ statement }) => statement.Effect === 'Allow')
    .flatMap(({ carrier, name, statement: { Action, Resource } }) => {
      const actions = Action.filter((action) => action.includes('*')).map((action) => `${name} allows ${action}`);
      const everywhere =
        carrier.Type !== 'AWS::KMS::Key' &&
        Resource.includes('*') &&
        !Action.every((action) => unscopedActions.has(action));
      return everywhere ? [...actions, `${name} allows ${Action.join(', ')} on everything`] : actions;
    });
  const managed = resourcesOfType(template, 'AWS::IAM::Role')
    .filter(([, { Properties }]) => RoleProperties.parse(Properties).ManagedPolicyArns.length > 0)
    .map(([id]) => `${resourceName(template, id)} has a managed policy`);
  const attached = ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy']
    .flatMap((type) => resourcesOfType(template, type))
    .map(([id]) => `${resourceName(template, id)} grants outside of the roles`);
  return [...fromStatements, ...managed, ...attached];
}

const RedriveProperties = z.object({
  RedrivePolicy: z.object({ deadLetterTargetArn: z.unknown(), maxReceiveCount: z.number() }),
});

/**
 * Queues whose failed messages would be lost: those that are neither dead-letter queues nor have
 * one.
 */
export function findQueuesWithoutDeadLetters(template: Template): string[] {
  const queues = resourcesOfType(template, 'AWS::SQS::Queue');
  const readQueues = new Set(
    resourcesOfType(template, 'AWS::Lambda::EventSourceMapping').map(([, { Properties }]) =>
      referenceText(template, Properties['EventSourceArn']),
    ),
  );
  return queues
    .filter(([id, { Properties }]) => {
      const redrive = RedriveProperties.safeParse(Properties);
      if (!redrive.success) return readQueues.has(`${resourceName(template, id)}.Arn`);
      const target = referenceText(template, redrive.data.RedrivePolicy.deadLetterTargetArn).replace(/\.Arn$/, '');
      return !queues.some(([other]) => resourceName(template, other) === target);
    })
    .map(([id]) => resourceName(template, id));
}

/**
 * Returns the number of metrics that an alarm watches and costs: one, or each in its expression.
 */
export function countAlarmMetrics(alarm: Resource['Properties']): number {
  const { Metrics } = alarm;
  if (!Array.isArray(Metrics)) return 1;
  return Metrics.filter((each) => typeof each === 'object' && each !== null && 'MetricStat' in each).length;
}
