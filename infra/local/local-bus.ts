// EventBridge on this machine: an endpoint for PutEvents, and rules that put the details of events
// into a queue.
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { eventSource } from '../../shared/events/event.ts';
import type { Log } from '../../shared/platform/ports.ts';
import type { Activity } from './activity.ts';
import { openLocalEndpoint, parseJsonObject, type ServiceCall, type ServiceResponse } from './local-endpoint.ts';
import type { WaitControl } from './wait-control.ts';

export interface BusTarget {
  queue: string;
  types: readonly string[];
}
type Send = (queue: string, detail: unknown) => Promise<void>;

export interface LocalBus {
  endpoint: string;
  /** Delivers to these targets from now on. */
  connect(targets: BusTarget[], send: Send): void;
  readonly deadLetters: readonly { queue: string; detail: unknown }[];
  close(): Promise<void>;
}

const PutEvents = z.object({
  Entries: z
    .array(
      z.object({
        Source: z.string().min(1),
        DetailType: z.string().min(1),
        Detail: z.string(),
        EventBusName: z.string().optional(),
        Resources: z.array(z.string()).optional(),
        Time: z.number().optional(),
      }),
    )
    .min(1)
    .max(10),
});
type Entry = z.infer<typeof PutEvents>['Entries'][number];

const putEventsTarget = 'AWSEvents.PutEvents';
const maxAttempts = 5;
const retryMilliseconds = 200;

export async function startLocalBus(options: { log: Log; waits: WaitControl; activity: Activity }): Promise<LocalBus> {
  const { log, waits, activity } = options;
  let targets: BusTarget[] = [];
  let send: Send = async () => {};
  const deadLetters: { queue: string; detail: unknown }[] = [];

  /**
   * As with the real bus, accepting an event guarantees nothing: it is delivered at least once,
   * retried, and eventually given up.
   */
  function accept(entry: Entry) {
    const detail = parseJsonObject(entry.Detail);
    if (!detail) return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
    for (const { queue, types } of targets)
      if (entry.Source === eventSource && types.includes(entry.DetailType))
        void activity.track(() => deliver(queue, detail));
    return { EventId: randomUUID() };
  }

  async function deliver(queue: string, detail: unknown): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await send(queue, structuredClone(detail));
        return;
      } catch (error) {
        log('warn', 'bus_delivery_failed', { queue, attempts: tries, cause: error });
        if (waits.stopped) return;
        if (tries === maxAttempts) {
          deadLetters.push({ queue, detail });
          log('error', 'bus_event_given_up', { queue, attempts: tries, cause: error });
          return;
        }
      }
      await waits.wait(retryMilliseconds * tries);
    }
  }

  async function respond({ headers, text }: ServiceCall): Promise<ServiceResponse> {
    if (headers['x-amz-target'] !== putEventsTarget) {
      return errorResponse('UnknownOperationException', `the local bus only supports ${putEventsTarget}`);
    }
    const input = PutEvents.safeParse(parseJsonObject(text));
    if (!input.success) return errorResponse('ValidationException', z.prettifyError(input.error));
    const entries = input.data.Entries.map(accept);
    return {
      status: 200,
      body: { FailedEntryCount: entries.filter((e) => 'ErrorCode' in e).length, Entries: entries },
    };
  }

  const { url, close } = await openLocalEndpoint('the local bus', log, respond);
  return {
    endpoint: url,
    connect(newTargets, newSend) {
      targets = newTargets;
      send = newSend;
    },
    deadLetters,
    close,
  };
}

const errorResponse = (type: string, message: string) => ({ status: 400, body: { __type: type, message } });
