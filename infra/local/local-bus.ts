// EventBridge on this machine: an endpoint that takes PutEvents, and delivery to the functions whose types match.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import * as z from 'zod';
import type { Clock, Log } from '../../shared/engine/ports.ts';
import type { Activity } from './activity.ts';
import { localRegion } from './engines/connection.ts';
import type { Run } from './function-runner.ts';
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

  async function reply(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const text = await bodyOf(request);
    if (request.headers['x-amz-target'] !== target) {
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

  const server = createServer((request, response) => {
    reply(request).then(
      ({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
        response.end(JSON.stringify(body));
      },
      (error) => {
        log('error', 'the local bus failed to handle a request', { error });
        response.destroy();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the local bus has no port');

  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    connect(newTargets, newRun) {
      targets = newTargets;
      run = newRun;
    },
    deadLetters,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const refused = (type: string, message: string) => ({ status: 400, body: { __type: type, message } });

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
