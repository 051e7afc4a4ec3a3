// EventBridge on this machine: an endpoint that takes PutEvents, and delivery to the functions whose types match.
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Clock, Log } from '../../shared/engine/ports.ts';
import type { Activity } from './activity.ts';
import { localRegion } from './engines/connection.ts';
import type { Run } from './function-runner.ts';
import { jsonObject, openLocalEndpoint, type ServiceAnswer, type ServiceCall } from './local-endpoint.ts';
import type { Pace } from './pace.ts';

export interface BusTarget {
  functionName: string;
  /** None means all of them. */
  types: readonly string[];
}

export interface LocalBus {
  endpoint: string;
  /** Delivers to these from now on. */
  connect(targets: BusTarget[], run: Run): void;
  readonly deadLetters: readonly { functionName: string; event: unknown }[];
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

/** The rules of the cloud ask for it too. */
const ownSource = 'daybook';
const target = 'AWSEvents.PutEvents';
const mostTries = 5;
const retryMilliseconds = 200;

export async function startLocalBus(options: {
  clock: Clock;
  log: Log;
  pace: Pace;
  activity: Activity;
}): Promise<LocalBus> {
  const { clock, log, pace, activity } = options;
  let targets: BusTarget[] = [];
  let run: Run = async () => {};
  const deadLetters: { functionName: string; event: unknown }[] = [];

  /** As with the real bus, taking an event promises nothing: it is delivered at least once, tried again, and given up in the end. */
  function accept(entry: Entry) {
    const detail = jsonObject(entry.Detail);
    if (!detail) return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
    const id = randomUUID();
    const event = {
      version: '0',
      id,
      'detail-type': entry.DetailType,
      source: entry.Source,
      account: '000000000000',
      time: new Date(entry.Time === undefined ? clock.now() : entry.Time * 1000).toISOString(),
      region: localRegion,
      resources: entry.Resources ?? [],
      detail,
    };
    const asked = targets.filter(
      ({ types }) => entry.Source === ownSource && (types.length === 0 || types.includes(entry.DetailType)),
    );
    for (const { functionName } of asked) void activity.track(() => deliver(functionName, event));
    return { EventId: id };
  }

  async function deliver(functionName: string, event: unknown): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await run(functionName, structuredClone(event));
        return;
      } catch (error) {
        log('warn', 'a function failed on a bus event', { function: functionName, tries, error });
        if (pace.stopped) return;
        if (tries === mostTries) {
          deadLetters.push({ functionName, event });
          log('error', 'gave up on a bus event', { function: functionName, tries, error });
          return;
        }
      }
      await pace.wait(retryMilliseconds * tries);
    }
  }

  async function reply({ headers, text }: ServiceCall): Promise<ServiceAnswer> {
    if (headers['x-amz-target'] !== target) {
      return refused('UnknownOperationException', `the local bus serves ${target} only`);
    }
    const input = PutEvents.safeParse(jsonObject(text));
    if (!input.success) return refused('ValidationException', z.prettifyError(input.error));
    const entries = input.data.Entries.map(accept);
    return {
      status: 200,
      body: { FailedEntryCount: entries.filter((e) => 'ErrorCode' in e).length, Entries: entries },
    };
  }

  const { url, close } = await openLocalEndpoint('the local bus', log, reply);
  return {
    endpoint: url,
    connect(newTargets, newRun) {
      targets = newTargets;
      run = newRun;
    },
    deadLetters,
    close,
  };
}

const refused = (type: string, message: string) => ({ status: 400, body: { __type: type, message } });
