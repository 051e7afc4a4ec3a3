// The parts of Headers, Request and Response that Hono and the HTTP kit use, for bundles. Node's
// own classes are the standard ones, but the first use of any of them loads a whole HTTP client,
// which takes longer than everything else in a cold start. Laptops and tests run the bundles, and
// therefore these classes; `test/infra/build/light-web.test.ts` compares them with Node's.

type HeadersInput = Headers | Record<string, string> | Iterable<readonly [string, string]> | undefined;
type BodyInput = string | Uint8Array<ArrayBuffer> | ArrayBuffer | null | undefined;

const headerNamePattern = /^[!#$%&'*+.^_`|~\w-]+$/;
/** Characters that would end a header value, or that do not fit in a byte. */
const invalidValuePattern = /[\0\n\r]|[^\0-\xff]/;

class LightHeaders {
  readonly #values = new Map<string, string>();
  readonly #cookies: string[] = [];

  constructor(init?: HeadersInput) {
    if (init === undefined) return;
    const pairs = Symbol.iterator in init ? init : Object.entries(init);
    for (const [name, value] of pairs) this.append(name, value);
  }
  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }
  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }
  set(name: string, value: string): void {
    this.delete(name);
    this.append(name, value);
  }
  append(name: string, value: string): void {
    const key = name.toLowerCase();
    const trimmed = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
    if (!headerNamePattern.test(name) || invalidValuePattern.test(trimmed))
      throw new TypeError(`${name} is not a valid header`);
    const existing = this.#values.get(key);
    if (key === 'set-cookie') this.#cookies.push(trimmed);
    this.#values.set(key, existing === undefined ? trimmed : `${existing}, ${trimmed}`);
  }
  delete(name: string): void {
    const key = name.toLowerCase();
    if (key === 'set-cookie') this.#cookies.length = 0;
    this.#values.delete(key);
  }
  getSetCookie(): string[] {
    return [...this.#cookies];
  }
  forEach(each: (value: string, name: string) => void): void {
    for (const [name, value] of this) each(value, name);
  }
  *entries(): Generator<[string, string]> {
    for (const name of [...this.#values.keys()].sort())
      if (name === 'set-cookie') for (const cookie of this.#cookies) yield [name, cookie];
      else yield [name, this.#values.get(name) ?? ''];
  }
  *keys(): Generator<string> {
    for (const [name] of this.entries()) yield name;
  }
  *values(): Generator<string> {
    for (const [, value] of this.entries()) yield value;
  }
  [Symbol.iterator](): Generator<[string, string]> {
    return this.entries();
  }
}

/**
 * What requests and responses share. The body is stored as it was passed in, and can be read once.
 */
class HttpMessage {
  readonly headers: LightHeaders;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  bodyUsed = false;

  constructor(body: BodyInput, headers: HeadersInput) {
    this.headers = new LightHeaders(headers);
    this.body = body instanceof ArrayBuffer ? new Uint8Array(body) : (body ?? null);
    if (typeof body === 'string' && !this.headers.has('content-type'))
      this.headers.set('content-type', 'text/plain;charset=UTF-8');
  }
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    if (this.bodyUsed) throw new TypeError('Body is unusable: Body has already been read');
    this.bodyUsed = this.body !== null;
    return typeof this.body === 'string' ? new TextEncoder().encode(this.body) : (this.body ?? new Uint8Array());
  }
  async arrayBuffer(): Promise<ArrayBuffer> {
    const bytes = await this.bytes();
    const isExactBuffer = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength;
    return isExactBuffer ? bytes.buffer : new Uint8Array(bytes).buffer;
  }
  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes());
  }
  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
}

interface RequestOptions {
  method?: string;
  headers?: HeadersInput;
  body?: BodyInput;
}

class LightRequest extends HttpMessage {
  readonly url: string;
  readonly method: string;

  constructor(url: string, { method = 'GET', headers, body }: RequestOptions = {}) {
    super(body, headers);
    this.url = new URL(url).href;
    this.method = method.toUpperCase();
  }
}

interface ResponseOptions {
  status?: number;
  statusText?: string;
  headers?: HeadersInput;
}

class LightResponse extends HttpMessage {
  readonly status: number;
  readonly statusText: string;

  constructor(body?: BodyInput, { status = 200, statusText = '', headers }: ResponseOptions = {}) {
    super(body, headers);
    this.status = status;
    this.statusText = statusText;
  }
  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }
}

export { LightHeaders as Headers, LightRequest as Request, LightResponse as Response };
