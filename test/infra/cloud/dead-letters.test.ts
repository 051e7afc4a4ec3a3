import { describe, expect, test } from 'vitest';
import { findQueuesWithoutDeadLetters } from './template.ts';

describe('a queue without dead letters is found', () => {
  const reads = {
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: { EventSourceArn: { 'Fn::GetAtt': ['Q', 'Arn'] } },
  };

  test('when it has no redrive policy', () => {
    expect(
      findQueuesWithoutDeadLetters({ Resources: { Q: { Type: 'AWS::SQS::Queue', Properties: {} }, reads } }),
    ).toEqual(['Q']);
  });

  test('when its redrive policy points nowhere', () => {
    const Properties = {
      RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': ['Gone', 'Arn'] }, maxReceiveCount: 5 },
    };
    expect(findQueuesWithoutDeadLetters({ Resources: { Q: { Type: 'AWS::SQS::Queue', Properties }, reads } })).toEqual([
      'Q',
    ]);
  });
});
