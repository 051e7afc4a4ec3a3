// What the product needs from the outside world, in its own terms. The adapters are in
// `shared/platform/aws`; nothing else accesses the outside.
import type { LogCode, LogFields } from './log-codes.ts';

export type Value = string | number | boolean | null | Uint8Array | Value[] | { [name: string]: Value };
export type Item = { [name: string]: Value };
export interface Key {
  pk: string;
  sk: string;
}

/**
 * In expressions, `#name` is the attribute `name` and `:name` is `values.name`; the adapter builds
 * both maps.
 */
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
  /** Where the previous page ended: the `next` that it returned. */
  after?: Item;
  /** Names of the attributes to return; all by default. */
  only?: string[];
}
export interface QueryPage {
  items: Item[];
  next?: Item;
}

/** A condition failed. `item` is the existing item (undefined if there is none). */
export class ConditionFailed extends Error {
  readonly item: Item | undefined;
  constructor(item: Item | undefined) {
    super('the condition of a table write failed');
    this.item = item;
  }
}
/** One or more conditions of a transaction failed; `failures[i]` belongs to the i-th write. */
export class TransactionCanceled extends Error {
  readonly failures: (ConditionFailed | undefined)[];
  constructor(failures: (ConditionFailed | undefined)[]) {
    super('the conditions of a table transaction failed');
    this.failures = failures;
  }
}
/**
 * An engine was unreachable or rejected a call for now, after retries. The API responds with 503,
 * and workers retry.
 */
export class EngineUnavailable extends Error {}

export interface Table {
  get(key: Key, options?: { consistent?: boolean }): Promise<Item | undefined>;
  /** Any number of keys. Returned in no particular order; missing items are left out. */
  batchGet(keys: Key[], options?: { consistent?: boolean }): Promise<Item[]>;
  /** Returns one page. */
  query(query: Query): Promise<QueryPage>;
  /** Yields the items of every page in turn. */
  queryAll(query: Query): AsyncGenerator<Item>;
  /**
   * A single write. An update returns the item after the write, the others return the item before
   * it.
   */
  write(write: Put | Update | Delete): Promise<Item | undefined>;
  /** All or nothing, at most 100 writes. Conflicts with other transactions are retried. */
  transact(writes: Write[]): Promise<void>;
  /** Unconditional and not atomic; any number of writes, unprocessed ones are sent again. */
  batchWrite(writes: (Put | Delete)[]): Promise<void>;
}
/** Receives the cost of each table call. */
export type Meter = (call: { operation: string; readUnits: number; writeUnits: number }) => void;

export interface SendOptions {
  delaySeconds?: number;
  /**
   * Within five minutes, an ordered queue accepts one message per group and deduplication key, and
   * drops the others.
   */
  deduplicationKey?: string;
}
/** One key for all messages, or one for each. */
export interface DeduplicationOptions {
  deduplicationKey?: string | readonly string[];
}
export interface Queue<Name extends string = string> {
  send(queue: Name, body: unknown, options?: SendOptions): Promise<void>;
  /** Any number of messages, in batches. Either every one is accepted or the call throws. */
  sendAll(queue: Name, bodies: unknown[], options?: DeduplicationOptions): Promise<void>;
  /**
   * Hides a received message for this many seconds from now on: its worker has failed and reports
   * the failure afterwards.
   */
  postpone(queue: Name, receiptHandle: string, seconds: number): Promise<void>;
}
export type SendOptionsOf<Sent extends string, Ordered extends string> = Sent extends Ordered
  ? { deduplicationKey?: string; delaySeconds?: never }
  : { delaySeconds?: number; deduplicationKey?: never };
/**
 * The same, for callers that know which queues are ordered: SQS rejects a delay there, and supports
 * deduplication keys nowhere else.
 */
export interface NamedQueue<Name extends string, Ordered extends Name> extends Queue<Name> {
  send<Sent extends Name>(queue: Sent, body: unknown, options?: SendOptionsOf<Sent, Ordered>): Promise<void>;
  sendAll<Sent extends Name>(
    queue: Sent,
    bodies: unknown[],
    options?: Sent extends Ordered ? DeduplicationOptions : { deduplicationKey?: never },
  ): Promise<void>;
}
export interface Bus {
  /** A few entries at once. Either every one is accepted or the call throws. */
  publish(entries: { source: string; type: string; detail: unknown }[]): Promise<void>;
}
/** One request to an external server. */
export interface HttpRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** From the call to the last byte of the response. */
  timeoutMs?: number;
  /** A longer response counts as a failure. */
  maxBytes?: number;
  /**
   * Whether the request may be sent twice if a keep-alive connection breaks. False by default for
   * POST and PATCH.
   */
  isIdempotent?: boolean;
}
export type NoResponseReason = 'timeout' | 'connection' | 'address_refused';
/** Header names are in lower case. */
export type HttpResponse =
  | { kind: 'answered'; status: number; headers: Record<string, string>; body: Uint8Array }
  | {
      kind: 'unanswered';
      reason: NoResponseReason | 'too_large';
      message: string;
      /** Set if a response had started. */
      status: number | undefined;
      body: Uint8Array;
    };
export interface HttpClient {
  /** Never throws because of the other side. Follows no redirects. */
  send(request: HttpRequest): Promise<HttpResponse>;
}
/** The outbound HTTP clients, by who chose the address. */
export interface Egress {
  /** For addresses that someone else chose: public addresses only. */
  guarded: HttpClient;
  /** For the hosts that providers name in their descriptors, and no others. */
  providers: HttpClient;
  /** For the hosts that the operator set in a provider's settings, and no others. */
  forOrigins(origins: readonly string[]): HttpClient;
  /**
   * For the sandbox's simulated provider. It is called at the addresses of the real providers, and
   * the requests never leave the process.
   */
  sandbox: HttpClient;
}
/** One POST request to an address that someone else chose. */
export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}
/** `body` is the beginning of the response, at most one kilobyte. */
export type WebhookResponse =
  | { kind: 'answered'; status: number; body: string; retryAfter: string | undefined }
  | {
      kind: 'unanswered';
      reason: NoResponseReason;
      message: string;
      /** Set if a response had started. */
      status: number | undefined;
      body: string;
    };
export interface WebhookClient {
  /**
   * Never throws because of the other side. Follows no redirects and reaches public addresses only.
   */
  post(webhookRequest: WebhookRequest): Promise<WebhookResponse>;
}
export interface MailMessage {
  /** One address, without a display name. */
  to: string;
  subject: string;
  /** Plain text. */
  text: string;
  /** The same content as an HTML document, which loads nothing. */
  html: string;
}
/** Why a message can never be sent as it is. */
export type MailRefusal = 'address_invalid' | 'message_rejected';
/** A message was permanently rejected: sending it again would not help. */
export class MailRefused extends Error {
  readonly reason: MailRefusal;
  constructor(reason: MailRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}
/** Why no message from this sender is accepted until the operator fixes it. */
export type SenderProblem = 'identity_unverified' | 'sending_disabled';
/** The message may be valid, but this sender may not send for now. */
export class SenderRefused extends EngineUnavailable {
  readonly problem: SenderProblem;
  constructor(problem: SenderProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}
/** Too many messages at once; retry after a few seconds. */
export class MailThrottled extends EngineUnavailable {}
/**
 * On a laptop, messages are written to the data folder (`infra/local/mailbox.ts`). On AWS, Amazon
 * SES sends them if a sender is configured.
 */
export interface Mail {
  /**
   * Throws `EngineUnavailable` for temporary problems, so that the sender retries, and
   * `MailRefused` for permanent ones.
   */
  send(message: MailMessage): Promise<void>;
}
export interface Secrets {
  /** The deployment's root secret; every other secret is derived from it. */
  root(): Promise<string>;
}
/**
 * Hashes what must be recognized, and seals what must be read again. Each purpose has its own key.
 */
export interface Keyring {
  /** A keyed hash in base64url: the stored form of a credential. */
  hash(purpose: string, text: string): string;
  /** Encrypts and authenticates. The text opens only with the same purpose and context. */
  seal(purpose: string, text: string, context: string): string;
  /** Undefined if the text was altered, or was sealed for another purpose or context. */
  open(purpose: string, sealed: string, context: string): string | undefined;
}
/** Data keys as wrapped by the key service: one per UTC day, shared by all processes. */
export interface SharedDataKeys {
  find(day: string): Promise<string | undefined>;
  /** Returns the key that was stored first. */
  putIfAbsent(day: string, wrapped: string): Promise<string>;
}

/**
 * For the most sensitive data, the providers' tokens. Bound to its context, as with the keyring.
 */
export interface Vault {
  seal(text: string, context: string): Promise<string>;
  /** Undefined if the text was altered or was sealed for another context. */
  open(sealed: string, context: string): Promise<string | undefined>;
}
/**
 * The provider settings are not JSON, or not an object. The message says where they are set, and
 * reveals nothing of their content.
 */
export class SettingsUnreadable extends Error {}
/** What providers issued to this deployment at registration: unparsed, as configured. */
export interface ProviderSettings {
  /** Undefined if nothing is configured. Throws `SettingsUnreadable`. */
  get(provider: string): Promise<unknown>;
}
export interface Clock {
  now(): number;
  /** Missing on a clock that a test controls: there is nothing to wait for. */
  pause?(milliseconds: number): Promise<void>;
}
export interface Random {
  bytes(count: number): Uint8Array;
}
export type Log = (level: 'info' | 'warn' | 'error', code: LogCode, fields?: LogFields) => void;
