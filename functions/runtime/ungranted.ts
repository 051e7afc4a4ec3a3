// The engines of a function that the map doesn't grant them to: using one is a mistake in the map, said before anything is sent.
import {
  type Bus,
  type Egress,
  EngineUnavailable,
  type Mail,
  type Queue,
  type Table,
  type WebhookClient,
} from '../../shared/platform/ports.ts';

const deny = (engine: string) => (): never => {
  throw new Error(`this function was not granted the ${engine}: see its entry in infra/functions.ts`);
};
const denyTable = deny('table');
const denyQueue = deny('queues');
const denyEgress = deny('egress');

export const ungrantedTable: Table = {
  get: denyTable,
  batchGet: denyTable,
  query: denyTable,
  queryAll: denyTable,
  write: denyTable,
  transact: denyTable,
  batchWrite: denyTable,
};
export const ungrantedQueue: Queue = { send: denyQueue, sendAll: denyQueue, postpone: denyQueue };
export const ungrantedBus: Bus = { publish: deny('event bus') };
export const ungrantedWebhookClient: WebhookClient = { post: deny('webhook courier') };
const deniedClient = { send: denyEgress };
export const ungrantedEgress: Egress = {
  guarded: deniedClient,
  providers: deniedClient,
  forOrigins: () => deniedClient,
  sandbox: deniedClient,
};

/** Where no sender is configured, or the map lets a function send no mail: whoever owes a message keeps owing it. */
export const unconfiguredMail: Mail = {
  send: async () => {
    throw new EngineUnavailable('this deployment has no mail engine');
  },
};
