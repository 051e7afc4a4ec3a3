import { describe, expect, test } from 'vitest';
import type { FunctionSpec } from '../../../infra/function-spec.ts';
import { functions as realFunctions } from '../../../infra/functions.ts';
import { findWildcardGrants, type Template } from './template.ts';

test("only the sync function can open users' provider tokens", () => {
  const opening = Object.entries<FunctionSpec>(realFunctions).flatMap(([name, { providerSecrets }]) =>
    providerSecrets?.includes('tokens') ? [name] : [],
  );
  expect(opening).toEqual(['sync']);
});

test('only the functions that call a provider, verify its pushes or watch its settings can read credentials', () => {
  const reading = Object.entries<FunctionSpec>(realFunctions).flatMap(([name, { providerSecrets }]) =>
    providerSecrets?.includes('credentials') ? [name] : [],
  );
  expect(reading.sort()).toEqual(['connect', 'poll', 'push', 'sync']);
});

test('only the functions that list or find due work can query an index, and only their own', () => {
  const granted = Object.entries<FunctionSpec>(realFunctions).flatMap(([name, { indexes }]) =>
    indexes ? [[name, indexes]] : [],
  );
  expect(Object.fromEntries(granted)).toEqual({
    users: ['by-list'],
    'console-settings': ['by-list'],
    'console-state': ['by-list'],
    poll: ['by-due'],
    'feed-sandbox': ['by-due'],
    sweep: ['by-list', 'by-due'],
  });
});

describe('a wildcard is found', () => {
  const role = (statement: object, managed: string[] = []): Template => ({
    Resources: {
      Role: {
        Type: 'AWS::IAM::Role',
        Properties: {
          Policies: [{ PolicyDocument: { Statement: [{ Effect: 'Allow', ...statement }] } }],
          ManagedPolicyArns: managed,
        },
      },
    },
  });

  test('in an action', () => {
    expect(findWildcardGrants(role({ Action: 'dynamodb:*', Resource: 'arn' }))).toEqual(['Role allows dynamodb:*']);
    expect(findWildcardGrants(role({ Action: ['sqs:SendMessage', 'dynamodb:Batch*'], Resource: 'arn' }))).toHaveLength(
      1,
    );
  });

  test('in a resource, even next to an action that requires it', () => {
    expect(findWildcardGrants(role({ Action: 'sqs:SendMessage', Resource: '*' }))).toHaveLength(1);
    expect(
      findWildcardGrants(role({ Action: ['dynamodb:ListStreams', 'dynamodb:GetItem'], Resource: ['*'] })),
    ).toHaveLength(1);
    expect(findWildcardGrants(role({ Action: 'dynamodb:ListStreams', Resource: '*' }))).toEqual([]);
  });

  test('in a managed policy', () => {
    expect(
      findWildcardGrants(
        role({ Action: 'sqs:SendMessage', Resource: 'arn' }, ['arn:aws:iam::aws:policy/AdministratorAccess']),
      ),
    ).toEqual(['Role has a managed policy']);
  });

  test('in the policy of a queue', () => {
    const statement = { Effect: 'Allow', Action: 'sqs:*', Resource: 'arn' };
    const Resources = {
      Policy: { Type: 'AWS::SQS::QueuePolicy', Properties: { PolicyDocument: { Statement: [statement] } } },
    };
    expect(findWildcardGrants({ Resources })).toEqual(['Policy allows sqs:*']);
  });
});
