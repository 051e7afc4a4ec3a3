// What an AWS service said when it refused a request, and whether the same request may succeed a moment later.
import type { Answer } from './transport.ts';

export class AwsError extends Error {
  /** The service's name for the error, such as `ConditionalCheckFailedException`. */
  readonly code: string;
  readonly status: number;
  /** The body as it came. */
  readonly body: string;
  /** When the service says it answered, in milliseconds since the epoch. */
  readonly answeredAt: number | undefined;

  constructor(code: string, message: string, answer: Answer) {
    super(`${code}: ${message}`);
    this.code = code;
    this.status = answer.status;
    this.body = answer.body;
    const answeredAt = Date.parse(answer.headers.date ?? '');
    this.answeredAt = Number.isNaN(answeredAt) ? undefined : answeredAt;
  }
}

const transientCodes = new Set([
  'InternalException',
  'InternalFailure',
  'InternalServerError',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'ServiceUnavailable',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
  // A single write that met a transaction on the same item: the write was not applied.
  'TransactionConflictException',
  'TransactionInProgressException',
]);

export function isTransientCode(code: string): boolean {
  return transientCodes.has(code);
}

export function isTransient(error: AwsError): boolean {
  return error.status >= 500 || error.status === 429 || isTransientCode(error.code);
}

export function isClockSkew(error: AwsError): boolean {
  if (error.code === 'RequestTimeTooSkewed') return true;
  return error.code === 'InvalidSignatureException' && /Signature (expired|not yet current)/.test(error.message);
}

export function errorOf(answer: Answer): AwsError {
  const body = jsonObject(answer.body);
  const code =
    text(body['__type'])?.split('#').at(-1) ??
    header(answer, 'x-amzn-errortype')?.split(':')[0] ??
    header(answer, 'x-amzn-query-error')?.split(';')[0] ??
    `HTTP ${answer.status}`;
  const message = text(body['message']) ?? text(body['Message']) ?? answer.body.slice(0, 200);
  return new AwsError(code, message, answer);
}

function jsonObject(source: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(source);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    // A load balancer's page is not JSON; the status then names the error and its text is the message.
    return {};
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function header(answer: Answer, name: string): string | undefined {
  return text(answer.headers[name]);
}
