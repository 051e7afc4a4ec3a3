// The engines of a function that the map doesn't grant them to: using one is a mistake in the map, said before anything is sent.
import {
  type Bus,
  type Courier,
  type Egress,
  EngineUnavailable,
  type Mail,
  type Queue,
  type Table,
} from '../engine/ports.ts';

const ungranted = (): never => {
  throw new Error('this function was not granted this: see its entry in infra/functions.ts');
};

export const ungrantedTable: Table = {
  get: ungranted,
  batchGet: ungranted,
  query: ungranted,
  queryAll: ungranted,
  write: ungranted,
  transact: ungranted,
  batchWrite: ungranted,
};
export const ungrantedQueue: Queue = { send: ungranted, sendAll: ungranted };
export const ungrantedBus: Bus = { publish: ungranted };
export const ungrantedCourier: Courier = { post: ungranted };
export const ungrantedEgress: Egress = { guarded: { send: ungranted }, providers: { send: ungranted } };

/** Until a deployment has an engine for mail, whoever owes a message keeps owing it. */
export const unconfiguredMail: Mail = {
  send: async () => {
    throw new EngineUnavailable('this deployment has no mail engine');
  },
};
