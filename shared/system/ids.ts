// Identifiers: a prefix for the kind of resource, then 26 base32 characters that sort by creation
// time.
import * as z from 'zod';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

export const idPrefixes = {
  account: 'acc',
  key: 'key',
  user: 'usr',
  device: 'dev',
  connectLink: 'lnk',
  sleep: 'slp',
  workout: 'wrk',
  webhook: 'whk',
  delivery: 'dlv',
  event: 'evt',
  invitation: 'inv',
  member: 'mem',
  auditEntry: 'aud',
  /** One request for a command. Another request for the same command has a different id. */
  command: 'cmd',
  colleague: 'col',
  /** A sign-in of a colleague. Sessions of the SDK have ids of their own. */
  consoleSession: 'ses',
  passkey: 'psk',
  /** A request for a sign-in link by e-mail. */
  signInRequest: 'sir',
  /** A chunk of a push about many users. */
  pushChunk: 'chk',
} as const;
export type IdKind = keyof typeof idPrefixes;

/** 48 bits of milliseconds and 80 random bits, so that later ids sort later. */
export const makeId = (kind: IdKind, nowMs: number, random: Uint8Array): string =>
  `${idPrefixes[kind]}_${encodeSortableId(nowMs, random)}`;

/** The 26 characters of an id, without the prefix. */
export function encodeSortableId(nowMs: number, random: Uint8Array): string {
  let bits = BigInt(Math.floor(nowMs));
  for (const byte of random.subarray(0, 10)) bits = (bits << 8n) | BigInt(byte);
  let text = '';
  for (let shift = 125n; shift >= 0n; shift -= 5n) text += alphabet[Number((bits >> shift) & 31n)];
  return text;
}

/** The creation time of an id: its first ten characters are the milliseconds. */
export function parseIdTime(id: string): number {
  const digits = [...id.slice(id.indexOf('_') + 1).slice(0, 10)];
  return digits.reduce((ms, digit) => ms * 32 + alphabet.indexOf(digit), 0);
}

const idField = (kind: IdKind, example: string) =>
  z
    .string()
    .regex(
      new RegExp(`^${idPrefixes[kind]}_[${alphabet}]{26}$`),
      `must be an id of the form ${idPrefixes[kind]}_ and 26 characters`,
    )
    .meta({ examples: [`${idPrefixes[kind]}_${example}`] });

export const AccountId = idField('account', '01k9p3vvj8q4x7c2m5n6t8w0ya');
export const KeyId = idField('key', '01k9p3vvj9r2d4f6h8k0m2p4s6');
export const UserId = idField('user', '01k9p3w0b1c3e5g7j9m1p3r5t7');
export const DeviceId = idField('device', '01k9p3w4d6f8h0k2n4q6s8v0x2');
export const ConnectLinkId = idField('connectLink', '01k9p3w5e7g9j1m3p5r7t9w1y3');
export const PushChunkId = idField('pushChunk', '01k9p3w6f8h0k2n4q6s8v0x2z4');
export const EventId = idField('event', '01k9p3w8x9z1b3d5f7h9k1n3q5');
export const SleepId = idField('sleep', '01k9p3wb2c4e6g8j0m2p4r6t8w');
export const WorkoutId = idField('workout', '01k9p3we5f7h9k1n3q5s7v9x1z');
export const WebhookId = idField('webhook', '01k9p3wh8j0m2p4r6t8w0y2a4c');
export const DeliveryId = idField('delivery', '01k9p3w8x9n4q6s8v0x2z4b6d8');
export const InvitationId = idField('invitation', '01k9p3wm1n3q5s7v9x1z3b5d7f');
export const AuditEntryId = idField('auditEntry', '01k9p3ws7t9w1y3a5c7e9g1j3m');
export const MemberId = idField('member', '01k9p3wq4r6t8w0y2a4c6e8g0j');
export const ColleagueId = idField('colleague', '01k9p3ws6t8v0x2z4b6d8f0h2k');
export const ConsoleSessionId = idField('consoleSession', '01k9p3wv7w9y1a3c5e7g9j1m3p');
export const PasskeyId = idField('passkey', '01k9p3wx8y0z2b4d6f8h0k2m4p');
export const SignInRequestId = idField('signInRequest', '01k9p3wz9a1c3e5g7j9m1p3r5t');

export type AccountId = string;
export type UserId = string;
export type DeviceId = string;
