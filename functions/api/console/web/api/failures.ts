// What a request can end with instead of data.

/** The API refused, in its own words. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly details: unknown;

  constructor(response: Response, body: unknown) {
    const { error, message, details } = readFailureBody(body);
    super(message ?? `The server responded with status ${response.status}.`);
    this.status = response.status;
    this.code = error ?? 'unknown';
    this.details = details;
    this.requestId = response.headers.get('X-Request-Id') ?? undefined;
    const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : undefined;
  }
}

/** No response arrived. */
export class Offline extends Error {}

export const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

function readFailureBody(body: unknown): { error?: string; message?: string; details?: unknown } {
  if (typeof body !== 'object' || body === null) return {};
  const error = 'error' in body && typeof body.error === 'string' ? body.error : undefined;
  const message = 'message' in body && typeof body.message === 'string' ? body.message : undefined;
  const details = 'details' in body ? body.details : undefined;
  return { ...(error === undefined ? {} : { error }), ...(message === undefined ? {} : { message }), details };
}

interface ClientResult<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** The data of a response. Throws `ApiFailure` or `Offline`. */
export async function unwrap<Data>(result: Promise<ClientResult<Data>>): Promise<Data> {
  const { data, error, response } = await result.catch((cause: unknown) => {
    // `fetch` rejects with a TypeError when there is no connection.
    if (cause instanceof TypeError) throw new Offline('offline', { cause });
    throw cause;
  });
  if (!response.ok) throw new ApiFailure(response, error);
  // Only a response without a body has no data, and its type says so.
  return data as Data;
}
