// Handles a batch of the table's stream; if the worker throws, the whole batch is redelivered.
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod';
import { unmarshalItem } from '../../shared/platform/aws/marshal.ts';
import type { Item } from '../../shared/platform/ports.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { type Handler, lambda } from './lambda.ts';

export type StreamHandler = Handler<DynamoDBStreamEvent, DynamoDBBatchResponse>;

/** Receives the new images of the changed items, in order. */
export type StreamWorker = (deps: Deps) => (items: Item[]) => Promise<void>;

export const onStream = (worker: StreamWorker): StreamHandler =>
  lambda((deps) => {
    const work = worker(deps);
    return async (event) => {
      await work(event.Records.map(readNewImage));
      return { batchItemFailures: [] };
    };
  });

const StreamRecord = z.object({
  NewImage: z.record(z.string(), z.custom<Parameters<typeof unmarshalItem>[0][string]>()),
});

const readNewImage = (record: DynamoDBRecord): Item => unmarshalItem(StreamRecord.parse(record.dynamodb).NewImage);
