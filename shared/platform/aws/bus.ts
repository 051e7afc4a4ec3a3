// The Bus port over EventBridge.
import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { Bus } from '../ports.ts';
import { batchesOf, sendBatches } from './batches.ts';
import { sendUntilTaken } from './resend.ts';
import { asking, isPassingCode } from './retries.ts';

const unanswered = { ErrorCode: 'InternalFailure', ErrorMessage: 'the answer says nothing about the entry' };
const mostPerBatch = 10;
const mostBytes = 256 * 1024;

export interface BusOptions {
  client: EventBridgeClient;
  busName: string;
  backoffMs?: number;
}

export function awsBus({ client, busName, backoffMs = 50 }: BusOptions): Bus {
  return {
    async publish(entries) {
      const events = entries.map(({ source, type, detail }) => ({
        EventBusName: busName,
        Source: source,
        DetailType: type,
        Detail: JSON.stringify(detail),
      }));
      const batches = batchesOf(events, {
        most: mostPerBatch,
        mostBytes,
        sizeOf: ({ Source, DetailType, Detail }) => Buffer.byteLength(Source + DetailType + Detail),
      });
      await sendBatches(batches, (batch) =>
        sendUntilTaken(`The bus ${busName}`, batch, backoffMs, async (pending) => {
          const output = await asking('PutEvents', () => client.send(new PutEventsCommand({ Entries: pending })));
          if (!output.FailedEntryCount) return [];
          return pending.flatMap((entry, index) => {
            // In the order of the request.
            const { ErrorCode, ErrorMessage = '' } = output.Entries?.[index] ?? unanswered;
            if (ErrorCode === undefined) return [];
            return { entry, reason: `${ErrorCode} ${ErrorMessage}`, final: !isPassingCode(ErrorCode) };
          });
        }),
      );
    },
  };
}
