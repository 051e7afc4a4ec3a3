// The whole system in one process: starts the engines, builds the functions from the manifest, and
// emulates the AWS services between them.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { type Engines, makeDeps, systemClock, systemRandom } from '../../functions/runtime/deps.ts';
import { writeLog } from '../../functions/runtime/log.ts';
import { storeSettingsSummary } from '../../shared/connections/client/provider-availability.ts';
import { awsBus } from '../../shared/platform/aws/bus.ts';
import { clientConfig } from '../../shared/platform/aws/client-config.ts';
import type { EnvironmentVariables } from '../../shared/platform/aws/connection.ts';
import { awsQueue } from '../../shared/platform/aws/queue.ts';
import type { Clock, Log, Mail, Meter, Queue, Random, Table, WebhookClient } from '../../shared/platform/ports.ts';
import { providerSettingsFromEnvironment } from '../../shared/platform/provider-settings.ts';
import { settingNames } from '../../shared/platform/setting-names.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { getMessageGroupId, isFifoQueue } from '../../shared/system/jobs.ts';
import { type QueueSpec, visibilitySeconds } from '../function-spec.ts';
import { makeActivity } from './activity.ts';
import { removeDrafts } from './data-files.ts';
import { lockDataDir } from './data-lock.ts';
import { createDelayedSends } from './delayed-sends.ts';
import { localConnection } from './engines/connection.ts';
import { startQueueEngine } from './engines/queue-engine.ts';
import type { TableEngineKind } from './engines/table-engine.ts';
import { expireDaily } from './expire-items.ts';
import { buildFunctionEnvironment } from './function-environment.ts';
import { createFunctionRunner, type HostedFunctions, listByTrigger, loadHandler } from './function-runner.ts';
import { openGateway } from './gateway.ts';
import {
  withBusGrants,
  withCallGrants,
  withMailGrants,
  withProviderGrants,
  withQueueGrants,
  withTableGrants,
} from './grants.ts';
import { type HostFile, removeHostFile, writeHostFile } from './host-file.ts';
import { createHostResponder } from './host-responder.ts';
import { startLocalBus } from './local-bus.ts';
import { startLocalMail } from './local-mail.ts';
import type { IssueSignInLink } from './local-sign-in.ts';
import { startLocalTable } from './local-table.ts';
import { type Mailbox, type MailListener, openMailbox } from './mailbox.ts';
import { createPostponements } from './postponements.ts';
import { pumpQueue, type Redelivery, resolveLocalConcurrency } from './queue-pump.ts';
import { resumeWork } from './resume-work.ts';
import { ensureLocalRootSecret } from './root-secret.ts';
import { createRouter } from './router.ts';
import { startScheduler } from './scheduler.ts';
import { openStreamPositions } from './stream-positions.ts';
import { createStreamPump } from './stream-pump.ts';
import { ensureTableEpoch } from './table-epoch.ts';
import { createUndoStack, type UndoStack } from './undo-stack.ts';
import { createWaitControl } from './wait-control.ts';
import { createWakeSignals, withQueueSignals, withTableSignals } from './wake-signal.ts';

export interface HostOptions {
  /** 0 uses any free port. */
  port: number;
  /** The interface to listen on. Defaults to loopback. */
  address?: string;
  /** A folder, or `memory` to discard everything at the end. */
  dataDir: string;
  functions: HostedFunctions;
  queues: Record<string, QueueSpec>;
  /** The bundle files by function entry. Product functions run as they are deployed. */
  bundles?: ReadonlyMap<string, string>;
  /** A custom clock also decides when delayed messages are due. */
  clock?: Clock;
  random?: Random;
  /** Sends webhook deliveries. The default can reach this machine and public addresses. */
  webhookClient?: WebhookClient;
  /** Receives mail in place of the mailbox. */
  mail?: Mail;
  /** Is told of every message that the mailbox has stored. */
  onMail?: MailListener;
  /** Issues a link for the button on the sign-in page. Without it, there is no such button. */
  issueSignInLink?: IssueSignInLink;
  /** Wraps the queues. A wrapper that loses messages tests that the work is found anyway. */
  wrapQueue?: (queue: Queue) => Queue;
  /** When failed messages are redelivered. Defaults to soon. */
  redelivery?: Redelivery;
  log?: Log;
  env?: EnvironmentVariables;
  tableEngine?: TableEngineKind;
  /** If false, schedules only run through `runSchedule`. */
  runsSchedules?: boolean;
  meter?: Meter;
}

export interface Host {
  baseUrl: string;
  port: number;
  /** Dependencies with every grant and the root secret. */
  deps: Deps;
  table: Table;
  /** Mail that was stored instead of sent. */
  mailbox: Mailbox;
  /**
   * Returns when nothing is left to do: no request, message, stream record, bus event or due delay.
   * Failures are retried without waiting.
   */
  drain(): Promise<void>;
  runSchedule(functionName: string): Promise<void>;
  /** The dead letters of a queue, oldest first. */
  deadLetters(queue: string): Promise<unknown[]>;
  /** The bus events and stream records that were given up. */
  listAbandoned(): { bus: readonly { queue: string; detail: unknown }[]; stream: readonly unknown[] };
  /** Process ids of the engines that this host started. */
  enginePids: number[];
  /** Resolves with the reason in words when an engine ends unexpectedly. */
  engineFailure: Promise<string>;
  stop(): Promise<void>;
}

export async function startHost(options: HostOptions): Promise<Host> {
  const undoStack = createUndoStack();
  try {
    return await assembleHost(options, undoStack);
  } catch (error) {
    await undoStack.runAll();
    throw error;
  }
}

async function assembleHost(options: HostOptions, undoStack: UndoStack): Promise<Host> {
  const {
    dataDir,
    functions,
    onMail,
    clock = systemClock,
    random = systemRandom,
    log = writeLog,
    env = process.env,
  } = options;
  const persistent = dataDir !== 'memory';
  const route = createRouter(functions);
  assertBuilt(options);

  const gateway = await openGateway(options.port, options.address);
  undoStack.push(() => gateway.close());
  if (persistent) {
    const lock = lockDataDir(dataDir);
    undoStack.push(() => lock.release());
    removeDrafts(dataDir);
  }
  const rootSecret = ensureLocalRootSecret(dataDir, env);

  const waits = createWaitControl();
  const activity = makeActivity();
  const localTable = await startLocalTable({
    dataDir,
    env,
    ...(options.tableEngine ? { kind: options.tableEngine } : {}),
    ...(options.meter ? { meter: options.meter } : {}),
  });
  undoStack.push(() => localTable.stop());
  const tableEpoch = await ensureTableEpoch(localTable.table, random);
  const queueEngine = await startQueueEngine(buildQueuePlans(options), env);
  undoStack.push(() => queueEngine.stop());
  const bus = await startLocalBus({ log, waits, activity });
  undoStack.push(() => bus.close());
  undoStack.push(() => waits.stop());

  const urls = Object.fromEntries([...queueEngine.queues].map(([name, { url }]) => [name, url]));
  const signalFor = createWakeSignals(waits);
  const postponements = createPostponements();
  const hostQueue: Queue = awsQueue({
    client: queueEngine.client,
    urlOf(name: string) {
      const url = urls[name];
      if (url === undefined)
        throw new Error(`the function manifest has no queue ${name}: add it to the queues in infra/functions.ts`);
      return url;
    },
    messageGroup: getMessageGroupId,
    isOrdered: isFifoQueue,
  });
  const busQueue =
    options.wrapQueue?.(withQueueSignals(hostQueue, signalFor)) ?? withQueueSignals(hostQueue, signalFor);
  const delays = options.clock ? createDelayedSends(withQueueSignals(hostQueue, signalFor), options.clock) : undefined;
  const streamedAttributes = listByTrigger(functions, 'stream').map(({ trigger }) => trigger.attribute);
  const mailbox = openMailbox(persistent ? join(dataDir, 'mail') : undefined, { clock, random, log, onMail });
  const mail = await startLocalMail(options.mail ?? mailbox, log);
  undoStack.push(() => mail.close());
  const mailSender = env[settingNames.mailSender] ?? mailboxSender;
  const hostFile: HostFile = {
    pid: process.pid,
    // A tunnel to this machine, so that providers can redirect users and send data here.
    base_url: env[settingNames.baseUrl] || gateway.baseUrl,
    table_endpoint: localTable.endpoint,
    table_name: localTable.tableName,
    queue_endpoint: queueEngine.endpoint,
    queue_urls: urls,
    bus_endpoint: bus.endpoint,
  };
  /** A drain skips the pauses of workers, too, on the system's clock as on a test's. */
  const hostClock: Clock = { now: () => clock.now(), pause: (milliseconds) => waits.wait(milliseconds) };
  /** Adds the local emulation of AWS around a function's engines. */
  const wrapEngines = (engines: Engines): Engines => {
    const queue = postponements.wrap(withQueueSignals(engines.queue, signalFor));
    const delayed = delays?.wrap(queue) ?? queue;
    return {
      ...engines,
      table: withTableSignals(engines.table, streamedAttributes, signalFor(streamSignalName)),
      queue: options.wrapQueue?.(delayed) ?? delayed,
      clock: hostClock,
      random,
      log,
      ...(options.webhookClient ? { webhookClient: options.webhookClient } : {}),
    };
  };
  const deps = makeDeps(
    wrapEngines({
      table: localTable.table,
      queue: hostQueue,
      bus: awsBus({
        client: new EventBridgeClient(clientConfig('events', localConnection(bus.endpoint))),
        busName: 'daybook',
      }),
      mail: options.mail ?? mailbox,
      rootSecret,
      providerSettings: providerSettingsFromEnvironment(env),
      deployment: { kind: 'local', baseUrl: hostFile.base_url, tableEpoch, ...(mailSender ? { mailSender } : {}) },
    }),
  );
  const run = createFunctionRunner({
    functions,
    async start(name, spec) {
      const handler = await loadHandler(spec.entry, options.bundles);
      return handler.buildHosted({
        env: buildFunctionEnvironment(spec, {
          host: hostFile,
          mailEndpoint: mail.url,
          rootSecret,
          mailSender,
          tableEpoch,
          env,
        }),
        ...(options.meter ? { meter: options.meter } : {}),
        wrapEngines(baseEngines) {
          const engines = wrapEngines(baseEngines);
          return {
            ...engines,
            table: withTableGrants(engines.table, name, spec),
            queue: withQueueGrants(engines.queue, name, spec),
            bus: withBusGrants(engines.bus, name, spec),
          };
        },
        enforceGrants: (baseEngines) => ({
          ...baseEngines,
          ...withCallGrants(baseEngines, name, spec),
          ...withProviderGrants(baseEngines, name, spec),
          mail: withMailGrants(baseEngines.mail, name, spec),
        }),
      });
    },
  });
  const shared = { run, log, waits, activity };
  // Must run before any worker, because it ends the leases on mail.
  if (persistent) await resumeWork(deps);
  await storeSettingsSummary(deps);

  bus.connect(
    listByTrigger(functions, 'queue').flatMap(({ trigger: { queue, busTypes } }) =>
      busTypes ? [{ queue, types: busTypes }] : [],
    ),
    (queue, detail) => busQueue.send(queue, detail),
  );
  for (const { name, trigger } of listByTrigger(functions, 'queue')) {
    const queue = queueEngine.queues.get(trigger.queue);
    if (!queue)
      throw new Error(
        `${name} is triggered by the queue ${trigger.queue}, which the function manifest does not define`,
      );
    void pumpQueue({
      ...shared,
      client: queueEngine.client,
      queue,
      functionName: name,
      batchSize: trigger.batchSize,
      concurrency: resolveLocalConcurrency(trigger),
      wakeSignal: signalFor(trigger.queue),
      postponements,
      ...(options.redelivery ? { redelivery: options.redelivery } : {}),
    });
  }
  const positions = openStreamPositions(dataDir, localTable.streamArn);
  const streamFunctions = listByTrigger(functions, 'stream');
  // With several readers at different positions, the records are retained.
  const forgetThrough = streamFunctions.length === 1 ? localTable.engine?.streamRecords?.deleteThrough : undefined;
  const streams = streamFunctions.map(({ name, trigger }) =>
    createStreamPump({
      ...shared,
      client: localTable.streams,
      streamArn: localTable.streamArn,
      positions,
      functionName: name,
      attribute: trigger.attribute,
      batchSize: trigger.batchSize,
      wakeSignal: signalFor(streamSignalName),
      deleteThrough: forgetThrough,
    }),
  );
  for (const stream of streams) void stream.run();
  if (persistent && localTable.engine) void expireDaily(localTable, waits, clock, log);
  const scheduler = startScheduler({
    ...shared,
    clock,
    schedules: listByTrigger(functions, 'schedule').map(({ name, trigger }) => ({
      functionName: name,
      everyMinutes: trigger.everyMinutes,
    })),
    ticking: options.runsSchedules ?? true,
  });
  gateway.serve({ ...shared, route, clock, respondFromHost: createHostResponder(mailbox, options.issueSignInLink) });

  if (persistent) {
    writeHostFile(dataDir, { ...hostFile, base_url: gateway.baseUrl });
    undoStack.push(() => removeHostFile(dataDir));
  }

  let stopping: Promise<void> | undefined;
  async function stop(): Promise<void> {
    scheduler.stop();
    // Requests finish first, while all engines are still running; then the pumps finish their
    // batches.
    await gateway.close();
    waits.stop();
    await Promise.race([activity.idle(), sleep(graceMilliseconds, undefined, { ref: false })]);
    await undoStack.runAll();
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
    table: localTable.table,
    mailbox,
    drain: () => waits.skipWaitsDuring(drain),
    runSchedule: (functionName) => scheduler.runNow(functionName),
    deadLetters: (queue) => queueEngine.deadLetters(queue),
    listAbandoned: () => ({ bus: bus.deadLetters, stream: streams.flatMap(({ deadLetters }) => deadLetters) }),
    enginePids: localTable.engine ? [localTable.engine.process.pid] : [],
    engineFailure: new Promise((resolve) => {
      localTable.engine?.process.ended.then((reason) => {
        if (!stopping) resolve(`the table engine ${reason}; its output:\n${localTable.engine?.process.output()}`);
      });
    }),
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** The host runs what is deployed, because a bundle can behave differently from its sources. */
function assertBuilt({ functions, bundles }: HostOptions): void {
  for (const { entry } of Object.values(functions)) {
    if (entry.startsWith('functions/') && !bundles?.has(entry)) {
      throw new Error(
        `${entry} runs from its bundle: start the host with loadBuiltFunctions() from infra/build/built-functions.ts`,
      );
    }
  }
}

const graceMilliseconds = 3_000;
/**
 * The default sender. If the setting is empty, callers get links, as in a deployment without a
 * sender.
 */
const mailboxSender = 'Daybook <mailbox@daybook.localhost>';
/** No queue has this name. */
const streamSignalName = 'the stream';
const queuePollMilliseconds = 2;

function buildQueuePlans({ functions, queues }: HostOptions) {
  const timeouts = new Map(
    listByTrigger(functions, 'queue').map(({ trigger, timeoutSeconds }) => [trigger.queue, timeoutSeconds]),
  );
  return Object.fromEntries(
    Object.entries(queues).map(([name, { maxReceives }]) => [
      name,
      { maxReceives, visibilitySeconds: visibilitySeconds(name, timeouts.get(name) ?? 5) },
    ]),
  );
}
