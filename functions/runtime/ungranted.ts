// Stand-ins for engines that the function manifest does not grant: using one is a mistake in the
// manifest, and it throws before anything is sent.
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
export const ungrantedWebhookClient: WebhookClient = { post: deny('webhook client') };
const deniedClient = { send: denyEgress };
export const ungrantedEgress: Egress = {
  guarded: deniedClient,
  providers: deniedClient,
  forOrigins: () => deniedClient,
  sandbox: deniedClient,
};

/**
 * Used if no sender is configured or the function manifest does not grant mail: the message stays
 * pending.
 */
export const unconfiguredMail: Mail = {
  send: async () => {
    throw new EngineUnavailable('this deployment has no mail engine');
  },
};
