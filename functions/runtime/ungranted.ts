// The engines of a function that the map doesn't grant them to: using one is a mistake in the map, said before anything is sent.
import {
  type Bus,
  type Courier,
  type Egress,
  EngineUnavailable,
  type Mail,
  type Queue,
  type Table,
} from '../../shared/platform/ports.ts';

const ungranted = (engine: string) => (): never => {
  throw new Error(`this function was not granted the ${engine}: see its entry in infra/functions.ts`);
};
const noTable = ungranted('table');
const noQueue = ungranted('queues');
const noEgress = ungranted('egress');

export const ungrantedTable: Table = {
  get: noTable,
  batchGet: noTable,
  query: noTable,
  queryAll: noTable,
  write: noTable,
  transact: noTable,
  batchWrite: noTable,
};
export const ungrantedQueue: Queue = { send: noQueue, sendAll: noQueue, postpone: noQueue };
export const ungrantedBus: Bus = { publish: ungranted('event bus') };
export const ungrantedCourier: Courier = { post: ungranted('webhook courier') };
const noClient = { send: noEgress };
export const ungrantedEgress: Egress = {
  guarded: noClient,
  providers: noClient,
  named: () => noClient,
  sandbox: noClient,
};

/** Where no sender is configured, or the map lets a function send no mail: whoever owes a message keeps owing it. */
export const unconfiguredMail: Mail = {
  send: async () => {
    throw new EngineUnavailable('this deployment has no mail engine');
  },
};
