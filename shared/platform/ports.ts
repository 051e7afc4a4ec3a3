// What the product needs from the outside world, in its own words. The adapters live in engine/aws; nothing else reaches outside.

export type Value = string | number | boolean | null | Uint8Array | Value[] | { [name: string]: Value };
export type Item = { [name: string]: Value };
export interface Key {
  pk: string;
  sk: string;
}

/** In expressions `#name` stands for the attribute `name` and `:name` for `values.name`; the adapter fills in both maps. */
export interface WriteCondition {
  condition?: string;
  values?: Item;
}
export interface Put extends WriteCondition {
  kind: 'put';
  item: Key & Item;
}
export interface Update extends WriteCondition {
  kind: 'update';
  key: Key;
  update: string;
}
export interface Delete extends WriteCondition {
  kind: 'delete';
  key: Key;
}
export interface Check extends WriteCondition {
  kind: 'check';
  key: Key;
  condition: string;
}
export type Write = Put | Update | Delete | Check;

export interface Query {
  index?: string;
  /** A key condition over `pk`/`sk`, or over the index's own key attributes. */
  where: string;
  values: Item;
  newestFirst?: boolean;
  limit?: number;
  consistent?: boolean;
  /** Where the previous page ended: the `next` it returned. */
  after?: Item;
  /** Names of the attributes to return; all of them by default. */
  only?: string[];
}
export interface QueryPage {
  items: Item[];
  next?: Item;
}

/** A condition did not hold. `item` is what the table held instead (undefined: nothing). */
export class ConditionFailed extends Error {
  readonly item: Item | undefined;
  constructor(item: Item | undefined) {
    super('the condition of a table write did not hold');
    this.item = item;
  }
}
/** One or more conditions of a transaction did not hold; `failed[i]` belongs to the i-th write. */
export class TransactionCanceled extends Error {
  readonly failures: (ConditionFailed | undefined)[];
  constructor(failures: (ConditionFailed | undefined)[]) {
    super('the conditions of a table transaction did not hold');
    this.failures = failures;
  }
}
/** An engine could not be reached or refused for now, after retries: the caller answers 503 and the work is tried again. */
export class EngineUnavailable extends Error {}

export interface Table {
  get(key: Key, options?: { consistent?: boolean }): Promise<Item | undefined>;
  /** In no particular order; missing keys are left out. Any number of keys. */
  batchGet(keys: Key[], options?: { consistent?: boolean }): Promise<Item[]>;
  /** One page. */
  query(query: Query): Promise<QueryPage>;
  /** Every page, one after the other. */
  queryAll(query: Query): AsyncGenerator<Item>;
  /** One write. An update returns the item as it is afterwards, the others what the table held before. */
  write(write: Put | Update | Delete): Promise<Item | undefined>;
  /** All or nothing, at most 100 writes. Conflicts with other transactions are retried. */
  transact(writes: Write[]): Promise<void>;
  /** Unconditional and not atomic; any number of writes, unprocessed ones are sent again. */
  batchWrite(writes: (Put | Delete)[]): Promise<void>;
}
/** What one table call cost, told to whoever measures. */
export type Meter = (call: { operation: string; readUnits: number; writeUnits: number }) => void;

export interface SendOptions {
  delaySeconds?: number;
  /** Within five minutes an ordered queue accepts one message of a group and slot, and drops the others. */
  deduplicationKey?: string;
}
/** One slot for all messages, or one for each. */
export interface DeduplicationOptions {
  deduplicationKey?: string | readonly string[];
}
export interface Queue<Name extends string = string> {
  send(queue: Name, body: unknown, options?: SendOptions): Promise<void>;
  /** Any number of messages, in batches; every one is accepted or the call throws. */
  sendAll(queue: Name, bodies: unknown[], options?: DeduplicationOptions): Promise<void>;
  /** Hides a received message for so many seconds from now on: its worker failed, and reports it afterwards. */
  postpone(queue: Name, receiptHandle: string, seconds: number): Promise<void>;
}
export type SendOptionsOf<Sent extends string, Ordered extends string> = Sent extends Ordered
  ? { deduplicationKey?: string; delaySeconds?: never }
  : { delaySeconds?: number; deduplicationKey?: never };
/** The same for callers that know which queues are ordered: SQS refuses a delay there, and knows slots nowhere else. */
export interface NamedQueue<Name extends string, Ordered extends Name> extends Queue<Name> {
  send<Sent extends Name>(queue: Sent, body: unknown, options?: SendOptionsOf<Sent, Ordered>): Promise<void>;
  sendAll<Sent extends Name>(
    queue: Sent,
    bodies: unknown[],
    options?: Sent extends Ordered ? DeduplicationOptions : { deduplicationKey?: never },
  ): Promise<void>;
}
export interface Bus {
  /** At most a handful at once; every entry is accepted or the call throws. */
  publish(entries: { source: string; type: string; detail: unknown }[]): Promise<void>;
}
/** One request to a server that is not ours. */
export interface HttpRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** From the call to the last byte of the answer. */
  timeoutMs?: number;
  /** A longer answer is none. */
  maxBytes?: number;
  /** Whether it may reach the other side twice, where a kept connection breaks; POST and PATCH may not unless it is said. */
  isIdempotent?: boolean;
}
export type NoResponseReason = 'timeout' | 'connection' | 'address_refused';
/** Names of headers are in lower case. */
export type HttpResponse =
  | { kind: 'answered'; status: number; headers: Record<string, string>; body: Uint8Array }
  | {
      kind: 'unanswered';
      reason: NoResponseReason | 'too_large';
      message: string;
      /** When an answer had begun. */
      status: number | undefined;
      body: Uint8Array;
    };
export interface HttpClient {
  /** Never throws for what the other side does or is. Follows no redirect. */
  send(request: HttpRequest): Promise<HttpResponse>;
}
/** The ways out, by who chose the address. */
export interface Egress {
  /** Somebody else did: public addresses only. */
  guarded: HttpClient;
  /** We did: the hosts that providers name in their descriptors, and no others. */
  providers: HttpClient;
  /** The operator did, in the settings of a provider: these and no others. */
  forOrigins(origins: readonly string[]): HttpClient;
  /** Nobody has to: the vendor that the sandbox brings along. It is asked at the addresses of the real ones, and never leaves the process. */
  sandbox: HttpClient;
}
/** One POST to an address that somebody else chose. */
export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}
/** `body` is the beginning of what came back, at most a kilobyte. */
export type WebhookResponse =
  | { kind: 'answered'; status: number; body: string; retryAfter: string | undefined }
  | {
      kind: 'unanswered';
      reason: NoResponseReason;
      message: string;
      /** When an answer had begun. */
      status: number | undefined;
      body: string;
    };
export interface WebhookClient {
  /** Never throws for what the other side does or is. Follows no redirect, and reaches public addresses only. */
  post(webhookRequest: WebhookRequest): Promise<WebhookResponse>;
}
export interface MailMessage {
  /** One address, without a name. */
  to: string;
  subject: string;
  /** Plain text. */
  text: string;
  /** The same as a document; it loads nothing. */
  html: string;
}
/** Why a message will never be taken as it is. */
export type MailRefusal = 'address_invalid' | 'message_rejected';
/** A message was refused for good: sending it again is of no use. */
export class MailRefused extends Error {
  readonly reason: MailRefusal;
  constructor(reason: MailRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}
/** Why no message of this sender is taken, until who runs the deployment has put it right. */
export type SenderProblem = 'identity_unverified' | 'sending_disabled';
/** The message may be fine; nobody may send as this sender for now. */
export class SenderRefused extends EngineUnavailable {
  readonly problem: SenderProblem;
  constructor(problem: SenderProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}
/** Too many messages at once: some seconds later it may be taken. */
export class MailThrottled extends EngineUnavailable {}
/** On a laptop messages land in the data folder (`infra/local/mailbox.ts`); on AWS Amazon SES carries them, where a sender is configured. */
export interface Mail {
  /** Throws `EngineUnavailable` for what may pass, so whoever owes the message tries again, and `MailRefused` for what will not. */
  send(message: MailMessage): Promise<void>;
}
export interface Secrets {
  /** The deployment's root secret; every other secret is derived from it. */
  root(): Promise<string>;
}
/** Secrets at work: what must be recognised is hashed, what must be read again is sealed. Each purpose has a key of its own. */
export interface Keyring {
  /** A keyed hash, base64url: the stored form of a credential. */
  hash(purpose: string, text: string): string;
  /** Encrypts and authenticates, bound to its context: it opens only with the same purpose and context. */
  seal(purpose: string, text: string, context: string): string;
  /** Undefined when it was altered, or sealed for another purpose or context. */
  open(purpose: string, sealed: string, context: string): string | undefined;
}
/** Data keys as the key service wrapped them, one for each UTC day, for all processes. */
export interface SharedDataKeys {
  find(day: string): Promise<string | undefined>;
  /** The one that was offered first. */
  putIfAbsent(day: string, wrapped: string): Promise<string>;
}

/** For what is worth most: the tokens of vendors. Bound to its context, as with the keyring. */
export interface Vault {
  seal(text: string, context: string): Promise<string>;
  /** Undefined when it was altered, or sealed for another context. */
  open(sealed: string, context: string): Promise<string | undefined>;
}
/** What was set for vendors is no JSON, or not an object. The text says where it was set, and nothing of what was. */
export class SettingsUnreadable extends Error {}
/** What vendors gave this deployment when it registered with them: as it was set, to be parsed by whoever needs it. */
export interface ProviderSettings {
  /** Undefined where nothing was set. Throws `SettingsUnreadable`. */
  get(provider: string): Promise<unknown>;
}
export interface Clock {
  now(): number;
  /** A clock that a test moves has none: there is nothing to wait for. */
  pause?(milliseconds: number): Promise<void>;
}
export interface Random {
  bytes(count: number): Uint8Array;
}
export type Log = (level: 'info' | 'warn' | 'error', message: string, fields?: Record<string, unknown>) => void;
