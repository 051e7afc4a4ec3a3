// Limits the memory of request bodies while they arrive. An incomplete body costs its sender
// nothing but uses this machine's memory, so incomplete bodies get less room than complete ones.
// When they exceed it, the address that uses the most memory loses the body that has cost the most.
import type { IncomingMessage } from 'node:http';
import { networkOf } from '../../shared/http/address-rate-limiter.ts';

export interface IncomingBodies {
  read(request: IncomingMessage, maxBytes: number): Promise<ReceivedBody | BodyRejection>;
}

export interface ReceivedBody {
  bytes: Buffer;
  /** Call this once the request has been answered. */
  release(): void;
}

/** Over the size limit, too slow, or more than there is memory for right now. */
export type BodyRejection = 'too_long' | 'too_slow' | 'too_much';

export const isRejected = (body: ReceivedBody | BodyRejection): body is BodyRejection => typeof body === 'string';

const bytesPerMebibyte = 1024 * 1024;

export interface BodyMemoryLimits {
  /** Total of all incomplete bodies. */
  unfinishedBytes: number;
  /** Total of all bodies whose requests are being processed. */
  finishedBytes: number;
  /**
   * Only for bodies of at most `smallBytes`, which most are: however much memory large bodies use,
   * an ordinary call fits.
   */
  reserveBytes: number;
  smallBytes: number;
  /** At least `windowBytes`, or the rest of the body, must arrive in each window. */
  windowMs: number;
  windowBytes: number;
}

const defaultBodyLimits: BodyMemoryLimits = {
  unfinishedBytes: 32 * bytesPerMebibyte,
  finishedBytes: 48 * bytesPerMebibyte,
  reserveBytes: 16 * bytesPerMebibyte,
  smallBytes: 64 * 1024,
  windowMs: 5_000,
  windowBytes: 16 * 1024,
};

interface IncomingBody {
  sender: string;
  bytes: number;
  /** Bytes times milliseconds, up to `heldSinceMs`. */
  cost: number;
  heldSinceMs: number;
  reject(rejection: BodyRejection): void;
}

export function createIncomingBodies(limits: BodyMemoryLimits = defaultBodyLimits): IncomingBodies {
  const incoming = new Set<IncomingBody>();
  let unfinishedBytes = 0;
  let finishedBytes = 0;

  function evictExcess(): void {
    while (unfinishedBytes > limits.unfinishedBytes) findCostliest(incoming)?.reject('too_much');
  }

  function admitFinished(bytes: Buffer): ReceivedBody | BodyRejection {
    const reserve = bytes.length <= limits.smallBytes ? limits.reserveBytes : 0;
    if (finishedBytes + bytes.length > limits.finishedBytes + reserve) return 'too_much';
    finishedBytes += bytes.length;
    return {
      bytes,
      release() {
        finishedBytes -= bytes.length;
      },
    };
  }

  function read(request: IncomingMessage, maxBytes: number): Promise<ReceivedBody | BodyRejection> {
    // The rest of a rejected body is discarded as it arrives. If the sender disconnects then,
    // nothing needs to happen.
    request.on('error', () => {});
    if (request.destroyed) return Promise.reject(new Error('the sender disconnected before its body was read'));
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
      request.resume();
      return Promise.resolve('too_long');
    }
    return new Promise((resolve, reject) => {
      let chunks: Buffer[] = [];
      let bytesInWindow = 0;
      const body: IncomingBody = {
        sender: networkOf(request.socket.remoteAddress ?? ''),
        bytes: 0,
        cost: 0,
        heldSinceMs: performance.now(),
        reject(rejection) {
          detach();
          resolve(rejection);
        },
      };
      const slowTimer = setInterval(() => {
        if (bytesInWindow < limits.windowBytes) body.reject('too_slow');
        bytesInWindow = 0;
      }, limits.windowMs);
      const detach = () => {
        clearInterval(slowTimer);
        incoming.delete(body);
        unfinishedBytes -= body.bytes;
        request.off('data', onData).off('end', onEnd).off('close', onClose);
        request.resume();
        chunks = [];
      };
      const onData = (chunk: Buffer) => {
        const nowMs = performance.now();
        body.cost = costAt(body, nowMs);
        body.heldSinceMs = nowMs;
        body.bytes += chunk.length;
        unfinishedBytes += chunk.length;
        bytesInWindow += chunk.length;
        chunks.push(chunk);
        if (body.bytes > maxBytes) body.reject('too_long');
        else evictExcess();
      };
      const onEnd = () => {
        const result = admitFinished(Buffer.concat(chunks));
        detach();
        resolve(result);
      };
      const onClose = () => {
        detach();
        reject(new Error('the sender disconnected before its body was complete'));
      };
      incoming.add(body);
      request.on('data', onData).on('end', onEnd).on('close', onClose);
    });
  }

  return { read };
}

const totalBytes = (bodies: Iterable<IncomingBody>): number => {
  let bytes = 0;
  for (const each of bodies) bytes += each.bytes;
  return bytes;
};

/** A body that arrives all at once costs almost nothing, however large it is. */
const costAt = ({ bytes, cost, heldSinceMs }: IncomingBody, nowMs: number): number =>
  cost + bytes * (nowMs - heldSinceMs);

function findCostliest(bodies: ReadonlySet<IncomingBody>): IncomingBody | undefined {
  const nowMs = performance.now();
  const bySender = [...Map.groupBy(bodies, ({ sender }) => sender).values()];
  const [largestSender = []] = bySender.sort((a, b) => totalBytes(b) - totalBytes(a));
  return largestSender.toSorted((a, b) => costAt(b, nowMs) - costAt(a, nowMs))[0];
}
