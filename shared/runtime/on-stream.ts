// A batch of the table's stream: where the worker throws, all of it comes again.
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod';
import type { Deps } from '../domain/deps.ts';
import { unmarshalItem } from '../engine/aws/marshal.ts';
import type { Item } from '../engine/ports.ts';
import { type Handler, lambda } from './lambda.ts';

export type StreamHandler = Handler<DynamoDBStreamEvent, DynamoDBBatchResponse>;

/** Gets the items as the changes left them, in order. */
export type StreamWorker = (deps: Deps) => (items: Item[]) => Promise<void>;

export const onStream = (worker: StreamWorker): StreamHandler =>
  lambda((deps) => {
    const work = worker(deps);
    return async (event) => {
      await work(event.Records.map(itemIn));
      return { batchItemFailures: [] };
    };
  });

const Change = z.object({
  NewImage: z.record(z.string(), z.custom<Parameters<typeof unmarshalItem>[0][string]>()),
});

const itemIn = (record: DynamoDBRecord): Item => unmarshalItem(Change.parse(record.dynamodb).NewImage);
