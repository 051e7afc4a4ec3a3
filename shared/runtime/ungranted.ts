// The engines of a function that the map doesn't grant them to: using one is a mistake in the map, said before anything is sent.
import type { Bus, Queue, Table } from '../engine/ports.ts';

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
