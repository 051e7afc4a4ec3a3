// Every key of the one table on one page. A user's whole life is one partition, so every read is a Query on it.

import type { Key } from '../engine/ports.ts';
import type { Environment } from '../model/account.ts';

export const tableShape = {
  pk: 'pk',
  sk: 'sk',
  ttl: 'ttl',
  indexes: [
    /** Lists of an environment or of the deployment, in order of their sort key (ids sort by time). */
    { name: 'by-list', pk: 'listPk', sk: 'listSk', projection: 'KEYS_ONLY' },
    /** What is owed, by when: sweeps read from the front. */
    { name: 'by-due', pk: 'duePk', sk: 'dueSk', projection: 'KEYS_ONLY' },
  ],
} as const;

export const keys = {
  /** An API key by the keyed hash of its text: authentication, revocation and rate limit in one item. */
  apiKey: (hash: string): Key => ({ pk: `K#${hash}`, sk: 'KEY' }),
  account: (account: string): Key => ({ pk: `A#${account}`, sk: 'ACCOUNT' }),
  /** Which API key an environment has now. */
  environment: (account: string, env: Environment): Key => ({ pk: `A#${account}`, sk: `ENV#${env}` }),

  /** `@` opens the head of a user's partition: one Query of it answers "who is this and what is connected". */
  user: (user: string): Key => ({ pk: `U#${user}`, sk: '@USER' }),
  device: (user: string, device: string): Key => ({ pk: `U#${user}`, sk: `@DEVICE#${device}` }),
  /** Holds the caller's own reference, so that no two users of an environment share one. */
  reference: (account: string, env: Environment, reference: string): Key => ({
    pk: `E#${account}#${env}#REF#${reference}`,
    sk: 'REF',
  }),

  mobileToken: (hash: string): Key => ({ pk: `M#${hash}`, sk: 'MOBILE' }),
  signingKey: (kid: string): Key => ({ pk: 'SIGNING', sk: kid }),
  /** An event as it was written with its change, until it is published. */
  event: (event: string): Key => ({ pk: `V#${event}`, sk: 'EVENT' }),
} as const;

export const userPartition = (user: string): string => `U#${user}`;

export const lists = {
  accounts: 'ACCOUNTS',
  users: (account: string, env: Environment): string => `E#${account}#${env}#USERS`,
  apiKeys: (account: string): string => `A#${account}#KEYS`,
} as const;

export const dues = {
  erase: 'DUE#erase',
  publish: 'DUE#publish',
} as const;
