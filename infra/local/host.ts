// The whole system in one process: starts the engines, walks the map and plays what stands between the functions on AWS.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { type Engines, makeDeps, systemClock, systemRandom } from '../../functions/runtime/deps.ts';
import { writeLog } from '../../functions/runtime/log.ts';
import { awsBus } from '../../shared/platform/aws/bus.ts';
import { clientConfig } from '../../shared/platform/aws/client-config.ts';
import type { EnvironmentVariables } from '../../shared/platform/aws/connection.ts';
import { awsQueue } from '../../shared/platform/aws/queue.ts';
import type { Clock, Courier, Log, Mail, Meter, Queue, Random, Table } from '../../shared/platform/ports.ts';
import { settingsFromEnvironment } from '../../shared/platform/provider-settings.ts';
import { settingNames } from '../../shared/platform/settings.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { isOrdered, messageGroup } from '../../shared/system/jobs.ts';
import { type QueueSpec, visibilitySeconds } from '../function-spec.ts';
import { makeActivity } from './activity.ts';
import { removeDrafts } from './data-files.ts';
import { lockDataDir } from './data-lock.ts';
import { delaysByClock } from './delayed-sends.ts';
import { localConnection } from './engines/connection.ts';
import { startQueueEngine } from './engines/queue-engine.ts';
import type { TableEngineKind } from './engines/table-engine.ts';
import { expireDaily } from './expiry.ts';
import { functionEnvironment } from './function-environment.ts';
import { functionRunner, type HostedFunctions, loadHandler, triggeredBy } from './function-runner.ts';
import { openGateway } from './gateway.ts';
import { grantedBus, grantedCalls, grantedMail, grantedQueue, grantedTable, grantedVendors } from './grants.ts';
import { type HostFile, removeHostFile, writeHostFile } from './host-file.ts';
import { startLocalBus } from './local-bus.ts';
import { startLocalMail } from './local-mail.ts';
import { startLocalTable } from './local-table.ts';
import { type Mailbox, openMailbox } from './mailbox.ts';
import { mailboxAnswer } from './mailbox-page.ts';
import { makeNudges, nudging, nudgingQueue } from './nudge.ts';
import { makePace } from './pace.ts';
import { rememberPostponements } from './postponements.ts';
import { batchesAtOnce, pumpQueue, type Returns } from './queue-pump.ts';
import { resumeWork } from './resume-work.ts';
import { localRootSecret } from './root-secret.ts';
import { makeRouting } from './routing.ts';
import { startScheduler } from './scheduler.ts';
import { openStreamPositions } from './stream-positions.ts';
import { streamPump } from './stream-pump.ts';
import { epochRow } from './table-epoch.ts';
import { type Undo, undoing } from './undo.ts';

export interface HostOptions {
  /** 0 takes any free port. */
  port: number;
  /** The interface to listen on; only this machine by default. */
  address?: string;
  /** A folder, or `memory` to forget everything at the end. */
  dataDir: string;
  functions: HostedFunctions;
  queues: Record<string, QueueSpec>;
  /** The files that functions run from, by their entries: the product's, as they are deployed. */
  bundles?: ReadonlyMap<string, string>;
  /** A clock of one's own also decides when delayed messages are due. */
  clock?: Clock;
  random?: Random;
  /** Carries webhook deliveries; one that reaches this machine and public addresses by default. */
  courier?: Courier;
  /** Takes mail in place of the mailbox. */
  mail?: Mail;
  /** Stands around the queues: one that loses messages shows what finds the work all the same. */
  aroundQueue?: (queue: Queue) => Queue;
  /** When failed messages come again: soon, unless said otherwise. */
  returns?: Returns;
  log?: Log;
  env?: EnvironmentVariables;
  tableEngine?: TableEngineKind;
  /** False: schedules run only through `runSchedule`. */
  schedules?: boolean;
  meter?: Meter;
}

export interface Host {
  baseUrl: string;
  port: number;
  /** With every grant, and the root secret. */
  deps: Deps;
  table: Table;
  /** What was mailed, kept instead of sent. */
  mailbox: Mailbox;
  /** Returns when nothing is left to do: no request, message, stream record, bus event or due delay. Failures are retried without waiting. */
  drain(): Promise<void>;
  runSchedule(functionName: string): Promise<void>;
  /** The messages that gave up, oldest first. */
  deadLetters(queue: string): Promise<unknown[]>;
  /** What the bus and the stream gave up. */
  givenUp(): { bus: readonly { queue: string; detail: unknown }[]; stream: readonly unknown[] };
  /** Process ids of the engines that this host started. */
  enginePids: number[];
  /** Resolves, with the reason in words, when an engine ends that should not have. */
  broken: Promise<string>;
  stop(): Promise<void>;
}

export async function startHost(options: HostOptions): Promise<Host> {
  const undo = undoing();
  try {
    return await assemble(options, undo);
  } catch (error) {
    await undo.all();
    throw error;
  }
}

async function assemble(options: HostOptions, undo: Undo): Promise<Host> {
  const { dataDir, functions, clock = systemClock, random = systemRandom, log = writeLog, env = process.env } = options;
  const persistent = dataDir !== 'memory';
  const route = makeRouting(functions);
  refuseUnbuilt(options);

  const gateway = await openGateway(options.port, options.address);
  undo.push(() => gateway.close());
  if (persistent) {
    const lock = lockDataDir(dataDir);
    undo.push(() => lock.release());
    removeDrafts(dataDir);
  }
  const rootSecret = localRootSecret(dataDir, env);

  const pace = makePace();
  const activity = makeActivity();
  const place = await startLocalTable({
    dataDir,
    env,
    ...(options.tableEngine ? { kind: options.tableEngine } : {}),
    ...(options.meter ? { meter: options.meter } : {}),
  });
  undo.push(() => place.stop());
  const tableEpoch = await epochRow(place.table, random);
  const queueEngine = await startQueueEngine(queuePlans(options), env);
  undo.push(() => queueEngine.stop());
  const bus = await startLocalBus({ log, pace, activity });
  undo.push(() => bus.close());
  undo.push(() => pace.stop());

  const urls = Object.fromEntries([...queueEngine.queues].map(([name, { url }]) => [name, url]));
  const nudgeOf = makeNudges(pace);
  const postponements = rememberPostponements();
  const hostQueue: Queue = awsQueue({
    client: queueEngine.client,
    urlOf(name: string) {
      const url = urls[name];
      if (url === undefined)
        throw new Error(`the map has no queue ${name}: add it to the queues in infra/functions.ts`);
      return url;
    },
    messageGroup,
    isOrdered,
  });
  const busQueue = options.aroundQueue?.(nudgingQueue(hostQueue, nudgeOf)) ?? nudgingQueue(hostQueue, nudgeOf);
  const delays = options.clock ? delaysByClock(nudgingQueue(hostQueue, nudgeOf), options.clock) : undefined;
  const streamed = triggeredBy(functions, 'stream').map(({ trigger }) => trigger.attribute);
  const mailbox = openMailbox(persistent ? join(dataDir, 'mail') : undefined, { clock, random, log });
  const mail = await startLocalMail(options.mail ?? mailbox, log);
  undo.push(() => mail.close());
  const mailSender = env[settingNames.mailSender] ?? mailboxSender;
  const where: HostFile = {
    pid: process.pid,
    // A tunnel to this machine, so that vendors can send people and data here.
    base_url: env[settingNames.baseUrl] || gateway.baseUrl,
    table_endpoint: place.endpoint,
    table_name: place.tableName,
    queue_endpoint: queueEngine.endpoint,
    queue_urls: urls,
    bus_endpoint: bus.endpoint,
  };
  /** What plays AWS around a function's engines, whoever made them. */
  const around = (engines: Engines): Engines => {
    const queue = postponements.around(nudgingQueue(engines.queue, nudgeOf));
    const delayed = delays?.around(queue) ?? queue;
    return {
      ...engines,
      table: nudging(engines.table, streamed, nudgeOf(theStream)),
      queue: options.aroundQueue?.(delayed) ?? delayed,
      clock,
      random,
      log,
      ...(options.courier ? { courier: options.courier } : {}),
    };
  };
  const deps = makeDeps(
    around({
      table: place.table,
      queue: hostQueue,
      bus: awsBus({
        client: new EventBridgeClient(clientConfig('events', localConnection(bus.endpoint))),
        busName: 'daybook',
      }),
      mail: options.mail ?? mailbox,
      rootSecret,
      providerSettings: settingsFromEnvironment(env),
      place: { kind: 'local', baseUrl: where.base_url, tableEpoch, ...(mailSender ? { mailSender } : {}) },
    }),
  );
  const run = functionRunner({
    functions,
    async start(name, spec) {
      const handler = await loadHandler(spec.entry, options.bundles);
      return handler.hosted({
        env: functionEnvironment(spec, {
          host: where,
          mailEndpoint: mail.url,
          rootSecret,
          mailSender,
          tableEpoch,
          env,
        }),
        ...(options.meter ? { meter: options.meter } : {}),
        around(own) {
          const engines = around(own);
          return {
            ...engines,
            table: grantedTable(engines.table, name, spec.table),
            queue: grantedQueue(engines.queue, name, spec),
            bus: grantedBus(engines.bus, name, spec),
          };
        },
        held: (own) => ({
          ...own,
          ...grantedCalls(own, name, spec),
          ...grantedVendors(own, name, spec),
          mail: grantedMail(own.mail, name, spec),
        }),
      });
    },
  });
  const shared = { run, log, pace, activity };

  // Before any worker runs: it ends the leases on mail.
  if (persistent) await resumeWork(deps);

  bus.connect(
    triggeredBy(functions, 'queue').flatMap(({ trigger: { queue, busTypes } }) =>
      busTypes ? [{ queue, types: busTypes }] : [],
    ),
    (queue, detail) => busQueue.send(queue, detail),
  );
  for (const { name, trigger } of triggeredBy(functions, 'queue')) {
    const queue = queueEngine.queues.get(trigger.queue);
    if (!queue) throw new Error(`${name} is triggered by the queue ${trigger.queue}, which the map does not have`);
    void pumpQueue({
      ...shared,
      client: queueEngine.client,
      queue,
      functionName: name,
      batchSize: trigger.batchSize,
      atOnce: batchesAtOnce(trigger),
      nudge: nudgeOf(trigger.queue),
      postponements,
      ...(options.returns ? { returns: options.returns } : {}),
    });
  }
  const positions = openStreamPositions(dataDir, place.streamArn);
  const readers = triggeredBy(functions, 'stream');
  // Several readers are at several places: then the records stay.
  const forgetThrough = readers.length === 1 ? place.engine?.streamRecords?.forgetThrough : undefined;
  const streams = readers.map(({ name, trigger }) =>
    streamPump({
      ...shared,
      client: place.streams,
      streamArn: place.streamArn,
      positions,
      functionName: name,
      attribute: trigger.attribute,
      batchSize: trigger.batchSize,
      nudge: nudgeOf(theStream),
      forgetThrough,
    }),
  );
  for (const stream of streams) void stream.run();
  if (persistent && place.engine) void expireDaily(place, pace, clock, log);
  const scheduler = startScheduler({
    ...shared,
    clock,
    schedules: triggeredBy(functions, 'schedule').map(({ name, trigger }) => ({
      functionName: name,
      everyMinutes: trigger.everyMinutes,
    })),
    ticking: options.schedules ?? true,
  });
  gateway.serve({ ...shared, route, clock, ofHost: (visitor) => mailboxAnswer(mailbox, visitor) });

  if (persistent) {
    writeHostFile(dataDir, { ...where, base_url: gateway.baseUrl });
    undo.push(() => removeHostFile(dataDir));
  }

  let stopping: Promise<void> | undefined;
  async function stop(): Promise<void> {
    scheduler.stop();
    // Requests first, with all engines still there; then the pumps finish what they hold.
    await gateway.close();
    pace.stop();
    await Promise.race([activity.idle(), sleep(graceMilliseconds, undefined, { ref: false })]);
    await undo.all();
  }

  async function drain(): Promise<void> {
    for (;;) {
      const before = activity.changes;
      const released = await delays?.release();
      for (const stream of streams) await stream.catchUp();
      await activity.idle();
      if (await queueEngine.busy()) await sleep(queuePollMilliseconds);
      else if (!released && activity.running === 0 && activity.changes === before) return;
    }
  }

  return {
    baseUrl: gateway.baseUrl,
    port: gateway.port,
    deps,
    table: place.table,
    mailbox,
    drain: () => pace.hurry(drain),
    runSchedule: (functionName) => scheduler.runNow(functionName),
    deadLetters: (queue) => queueEngine.deadLetters(queue),
    givenUp: () => ({ bus: bus.deadLetters, stream: streams.flatMap(({ deadLetters }) => deadLetters) }),
    enginePids: place.engine ? [place.engine.process.pid] : [],
    broken: new Promise((resolve) => {
      place.engine?.process.ended.then((reason) => {
        if (!stopping) resolve(`the table's engine ${reason}; it said:\n${place.engine?.process.output()}`);
      });
    }),
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** What runs here is what is deployed: a bundle may differ from its sources. */
function refuseUnbuilt({ functions, bundles }: HostOptions): void {
  for (const { entry } of Object.values(functions)) {
    if (entry.startsWith('functions/') && !bundles?.has(entry)) {
      throw new Error(`${entry} runs from its bundle: start the host with builtFunctions() of infra/build`);
    }
  }
}

const graceMilliseconds = 3_000;
/** Set to nothing, callers are handed links, as in a deployment without a sender. */
const mailboxSender = 'Daybook <mailbox@daybook.localhost>';
/** No queue has that name. */
const theStream = 'the stream';
const queuePollMilliseconds = 2;

function queuePlans({ functions, queues }: HostOptions) {
  const timeouts = new Map(
    triggeredBy(functions, 'queue').map(({ trigger, timeoutSeconds }) => [trigger.queue, timeoutSeconds]),
  );
  return Object.fromEntries(
    Object.entries(queues).map(([name, { maxReceives }]) => [
      name,
      { maxReceives, visibilitySeconds: visibilitySeconds(name, timeouts.get(name) ?? 5) },
    ]),
  );
}
