// The keys of the console in the single table: colleagues, and how they sign in.
import type { Key } from '../platform/ports.ts';
import { keys } from './keys.ts';

export const consoleKeys = {
  /** Someone who signs in to the console of an account; stored with the account. */
  colleague: (account: string, colleague: string): Key => ({
    pk: keys.account(account).pk,
    sk: `${colleaguePrefix}${colleague}`,
  }),
  /** How many colleagues an account has, and how many of them are owners. */
  colleagueCount: (account: string): Key => ({ pk: keys.account(account).pk, sk: 'COLLEAGUES' }),
  /** How many colleagues an account invited on a day. */
  colleagueInvitationCount: (account: string, utcDay: string): Key => ({
    pk: keys.account(account).pk,
    sk: `COLLEAGUES-INVITED#${utcDay}`,
  }),
  /** The colleague with an address, in each account: finds whom a sign-in link is for. */
  colleagueAddress: (emailHash: string, account: string): Key => ({
    pk: colleagueAddressPartition(emailHash),
    sk: account,
  }),
  /** How many sign-in links were sent to a mailbox in an hour. */
  signInMailCount: (mailboxHash: string, hour: number): Key => ({
    pk: `${colleagueAddressPartition(mailboxHash)}#${hour}`,
    sk: 'COUNT',
  }),
  /** A request for a sign-in link by e-mail, until the message is sent. */
  signInRequest: (request: string): Key => ({ pk: `${signInRequestPrefix}${request}`, sk: 'REQUEST' }),
  /** A sign-in link that was not used yet, by the keyed hash of its secret. */
  signInLink: (hash: string): Key => ({ pk: `LINK#${hash}`, sk: 'SIGNIN' }),
  /** A colleague's session, by the keyed hash of its token: authentication and rate limit. */
  consoleSession: (hash: string): Key => ({ pk: `CS#${hash}`, sk: 'SESSION' }),
  /** A passkey, by the keyed hash of its credential id. */
  passkey: (hash: string): Key => ({ pk: `PASSKEY#${hash}`, sk: 'PASSKEY' }),
  /** A challenge that a passkey has not answered yet. */
  passkeyChallenge: (hash: string): Key => ({ pk: `CHALLENGE#${hash}`, sk: 'PASSKEY' }),
} as const;

export const colleaguePrefix = 'COLLEAGUE#';

export const colleagueAddressPartition = (emailHash: string): string => `COLLEAGUE#${emailHash}`;

const signInRequestPrefix = 'SIGNIN#';

/** The request for a sign-in link with this key; undefined for any other row. */
export const parseSignInRequestKey = ({ pk }: Key): { sign_in_request_id: string } | undefined =>
  pk.startsWith(signInRequestPrefix) ? { sign_in_request_id: pk.slice(signInRequestPrefix.length) } : undefined;
