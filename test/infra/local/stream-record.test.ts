import { expect, test } from 'vitest';
import { toLambdaRecord } from '../../../infra/local/stream-record.ts';
import { unmarshalItem } from '../../../shared/platform/aws/marshal.ts';

const bytes = new Uint8Array([0, 255, 128]);
const item = { sk: 'EVENT', packed: bytes, none: new Uint8Array(), deep: [{ inner: bytes }, 'text', null] };

test("a stream record has Lambda's shape: bytes as base64, times in seconds", () => {
  const record = toLambdaRecord({
    eventID: '1',
    eventName: 'INSERT',
    dynamodb: {
      SequenceNumber: '7',
      ApproximateCreationDateTime: new Date('2026-03-14T07:26:53.000Z'),
      Keys: { sk: { S: 'EVENT' } },
      NewImage: {
        sk: { S: 'EVENT' },
        packed: { B: bytes },
        none: { B: new Uint8Array() },
        deep: { L: [{ M: { inner: { B: bytes } } }, { S: 'text' }, { NULL: true }] },
      },
    },
  });
  expect(record).toEqual({
    eventID: '1',
    eventName: 'INSERT',
    dynamodb: {
      SequenceNumber: '7',
      ApproximateCreationDateTime: 1_773_473_213,
      Keys: { sk: { S: 'EVENT' } },
      NewImage: {
        sk: { S: 'EVENT' },
        packed: { B: 'AP+A' },
        none: { B: '' },
        deep: { L: [{ M: { inner: { B: 'AP+A' } } }, { S: 'text' }, { NULL: true }] },
      },
    },
  });
  expect(unmarshalItem(JSON.parse(JSON.stringify(record.dynamodb['NewImage'])))).toStrictEqual(item);
});

test('a record without its sequence number is rejected, because the position in the stream would be unknown', () => {
  expect(() => toLambdaRecord({ eventID: '1', eventName: 'INSERT', dynamodb: {} })).toThrow(/SequenceNumber/);
});
