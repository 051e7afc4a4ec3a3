// A client for the AWS services that speak JSON: signs, sends, retries, and tells refusals from outages.
import { EngineUnavailable } from '../ports.ts';
import { AwsError, errorOf, isClockSkew, isTransient } from './aws-error.ts';
import { backoff } from './backoff.ts';
import { publicEndpoint, type ServiceName, type ServiceSpec, services } from './services.ts';
import { type Credentials, signed } from './sigv4.ts';
import { NoAnswer, sharedTransport, type Transport } from './transport.ts';

export interface ClientOptions {
  service: ServiceName;
  region: string;
  /** The service's public endpoint by default. */
  endpoint?: string | undefined;
  credentials: () => Promise<Credentials>;
  transport?: Transport;
  /** For one try. Must exceed the wait of a long poll. */
  timeoutMs?: number;
  /** The longest wait before the second try; it doubles with every further one. */
  backoffMs?: number;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

export interface AwsClient {
  /**
   * Calls one operation. `Output` is the caller's word for what the service documents; nothing checks it here.
   *
   * A try whose answer is lost is sent again though it may have been applied. A conditional write can then fail on its own first try,
   * and an update that adds can add twice: what must not is sent as TransactWriteItems with a ClientRequestToken, the same for
   * all tries because it is part of `input`, so the table applies it once.
   */
  call<Output>(operation: string, input: unknown): Promise<Output>;
}

const mostTries = 4;

export function awsClient(options: ClientOptions): AwsClient {
  const spec: ServiceSpec = services[options.service];
  const url = new URL(options.endpoint ?? publicEndpoint(options.service, options.region));
  const {
    transport = sharedTransport,
    timeoutMs = spec.timeoutMs,
    backoffMs = spec.backoffMs,
    now = Date.now,
  } = options;
  let clockOffsetMs = 0;

  async function attempt(operation: string, body: Uint8Array) {
    const headers = signed({
      url,
      headers: {
        'content-type': `application/x-amz-json-${spec.jsonVersion}`,
        'x-amz-target': `${spec.targetPrefix}.${operation}`,
      },
      body,
      region: options.region,
      signingName: spec.signingName,
      credentials: await options.credentials(),
      now: now() + clockOffsetMs,
    });
    const answer = await transport({ url, headers, body, timeoutMs });
    if (answer.status !== 200) throw errorOf(answer);
    return parsed(answer.body, url);
  }

  function correctClock(error: unknown): boolean {
    if (!(error instanceof AwsError && isClockSkew(error) && error.answeredAt !== undefined)) return false;
    clockOffsetMs = error.answeredAt - now();
    return true;
  }

  return {
    async call(operation, input) {
      const body = Buffer.from(JSON.stringify(input));
      let clockCorrected = false;
      let failures = 0;
      for (;;) {
        try {
          return await attempt(operation, body);
        } catch (error) {
          if (!clockCorrected && correctClock(error)) {
            clockCorrected = true;
            continue;
          }
          const passing = error instanceof NoAnswer || (error instanceof AwsError && isTransient(error));
          if (!passing) throw error;
          failures += 1;
          if (failures === mostTries) {
            const what = `${options.service} ${operation} failed ${mostTries} times, at last with: ${error.message}`;
            throw new EngineUnavailable(what, { cause: error });
          }
          await backoff(backoffMs, failures);
        }
      }
    },
  };
}

function parsed(body: string, url: URL) {
  if (body === '') return {};
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new NoAnswer(`${url.host} answered something else than JSON; is it an AWS endpoint?`, { cause });
  }
}
