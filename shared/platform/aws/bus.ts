// The Bus port over EventBridge.
import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { Bus } from '../ports.ts';
import { sendBatches, splitIntoBatches } from './batches.ts';
import { callAws, isTransientCode } from './retries.ts';
import { sendUntilAccepted } from './send-until-accepted.ts';

const missingEntryResult = { ErrorCode: 'InternalFailure', ErrorMessage: 'the response does not mention the entry' };
const maxBatchCount = 10;
const maxBytes = 256 * 1024;

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
      const batches = splitIntoBatches(events, {
        maxCount: maxBatchCount,
        maxBytes,
        sizeOf: ({ Source, DetailType, Detail }) => Buffer.byteLength(Source + DetailType + Detail),
      });
      await sendBatches(batches, (batch) =>
        sendUntilAccepted(`The bus ${busName}`, batch, backoffMs, async (pending) => {
          const output = await callAws('PutEvents', () => client.send(new PutEventsCommand({ Entries: pending })));
          if (!output.FailedEntryCount) return [];
          return pending.flatMap((entry, index) => {
            // Results are in the order of the request.
            const { ErrorCode, ErrorMessage = '' } = output.Entries?.[index] ?? missingEntryResult;
            if (ErrorCode === undefined) return [];
            return { entry, reason: `${ErrorCode} ${ErrorMessage}`, final: !isTransientCode(ErrorCode) };
          });
        }),
      );
    },
  };
}
