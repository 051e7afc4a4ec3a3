// A batch of the table's stream: the worker says which changes failed, and the stream comes again from the first of them on.
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod';
import type { Deps } from '../domain/deps.ts';
import { unmarshalItem } from '../engine/aws/marshal.ts';
import type { Item } from '../engine/ports.ts';
import { type Handler, lambda } from './lambda.ts';

export type StreamHandler = Handler<DynamoDBStreamEvent, DynamoDBBatchResponse>;

/** Gets the items as the changes left them, in order; returns which of them, by index, could not be handled. */
export type StreamWorker = (deps: Deps) => (items: Item[]) => Promise<number[]>;

export const onStream = (worker: StreamWorker): StreamHandler =>
  lambda((deps) => {
    const work = worker(deps);
    return async (event) => {
      const changes = event.Records.map(changeIn);
      const failed = await work(changes.map(({ item }) => item));
      return {
        batchItemFailures: failed.flatMap((index) => {
          const change = changes[index];
          return change ? [{ itemIdentifier: change.sequenceNumber }] : [];
        }),
      };
    };
  });

const Change = z.object({
  SequenceNumber: z.string().min(1),
  NewImage: z.record(z.string(), z.custom<Parameters<typeof unmarshalItem>[0][string]>()),
});

function changeIn(record: DynamoDBRecord): { sequenceNumber: string; item: Item } {
  const { SequenceNumber, NewImage } = Change.parse(record.dynamodb);
  return { sequenceNumber: SequenceNumber, item: unmarshalItem(NewImage) };
}
