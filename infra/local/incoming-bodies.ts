// The bodies of requests while they arrive. What is unfinished costs its sender nothing and this
// machine its memory, so it holds less than what is complete: where all together are too much, the
// address that holds the most gives way, and of its bodies the one that has cost the most.
import type { IncomingMessage } from 'node:http';
import { networkOf } from '../../shared/http/address-limit.ts';

export interface IncomingBodies {
  read(request: IncomingMessage, maxBytes: number): Promise<Body | RefusedBody>;
}

export interface Body {
  bytes: Buffer;
  /** Once it was answered. */
  release(): void;
}

/** Longer than it may be; too slow to be waited for; or more than there is room for right now. */
export type RefusedBody = 'too_long' | 'too_slow' | 'too_much';

export const isRefused = (body: Body | RefusedBody): body is RefusedBody => typeof body === 'string';

const mebibytes = 1024 * 1024;

export interface BodyRoom {
  /** Of all bodies that have not arrived whole. */
  unfinishedBytes: number;
  /** Of all bodies that are being answered. */
  finishedBytes: number;
  /**
   * Only for bodies of at most `smallBytes`, which are most: whatever large ones hold, an ordinary
   * call finds room.
   */
  reserveBytes: number;
  smallBytes: number;
  /** In each window as much as this arrives, or the rest. */
  windowMs: number;
  windowBytes: number;
}

const usualRoom: BodyRoom = {
  unfinishedBytes: 32 * mebibytes,
  finishedBytes: 48 * mebibytes,
  reserveBytes: 16 * mebibytes,
  smallBytes: 64 * 1024,
  windowMs: 5_000,
  windowBytes: 16 * 1024,
};

interface Arriving {
  sender: string;
  bytes: number;
  /** Bytes times milliseconds, until `heldSinceMs`. */
  cost: number;
  heldSinceMs: number;
  refuse(why: RefusedBody): void;
}

export function incomingBodies(room: BodyRoom = usualRoom): IncomingBodies {
  const arriving = new Set<Arriving>();
  let unfinishedBytes = 0;
  let finishedBytes = 0;

  function makeRoom(): void {
    while (unfinishedBytes > room.unfinishedBytes) costliest(arriving)?.refuse('too_much');
  }

  function finished(bytes: Buffer): Body | RefusedBody {
    const reserve = bytes.length <= room.smallBytes ? room.reserveBytes : 0;
    if (finishedBytes + bytes.length > room.finishedBytes + reserve) return 'too_much';
    finishedBytes += bytes.length;
    return {
      bytes,
      release() {
        finishedBytes -= bytes.length;
      },
    };
  }

  function read(request: IncomingMessage, maxBytes: number): Promise<Body | RefusedBody> {
    // The rest of what is refused is dropped as it comes, and a sender that leaves is nobody's
    // trouble then.
    request.on('error', () => {});
    if (request.destroyed) return Promise.reject(new Error('the sender left before its body was read'));
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
      request.resume();
      return Promise.resolve('too_long');
    }
    return new Promise((resolve, reject) => {
      let chunks: Buffer[] = [];
      let inWindow = 0;
      const body: Arriving = {
        sender: networkOf(request.socket.remoteAddress ?? ''),
        bytes: 0,
        cost: 0,
        heldSinceMs: performance.now(),
        refuse(why) {
          leave();
          resolve(why);
        },
      };
      const watch = setInterval(() => {
        if (inWindow < room.windowBytes) body.refuse('too_slow');
        inWindow = 0;
      }, room.windowMs);
      const leave = () => {
        clearInterval(watch);
        arriving.delete(body);
        unfinishedBytes -= body.bytes;
        request.off('data', take).off('end', end).off('close', left);
        request.resume();
        chunks = [];
      };
      const take = (chunk: Buffer) => {
        const nowMs = performance.now();
        body.cost = costAt(body, nowMs);
        body.heldSinceMs = nowMs;
        body.bytes += chunk.length;
        unfinishedBytes += chunk.length;
        inWindow += chunk.length;
        chunks.push(chunk);
        if (body.bytes > maxBytes) body.refuse('too_long');
        else makeRoom();
      };
      const end = () => {
        const whole = finished(Buffer.concat(chunks));
        leave();
        resolve(whole);
      };
      const left = () => {
        leave();
        reject(new Error('the sender left before its body was complete'));
      };
      arriving.add(body);
      request.on('data', take).on('end', end).on('close', left);
    });
  }

  return { read };
}

const sum = (bodies: Iterable<Arriving>): number => {
  let bytes = 0;
  for (const each of bodies) bytes += each.bytes;
  return bytes;
};

/** A call that arrives at once costs next to nothing, however large it is. */
const costAt = ({ bytes, cost, heldSinceMs }: Arriving, nowMs: number): number => cost + bytes * (nowMs - heldSinceMs);

function costliest(bodies: ReadonlySet<Arriving>): Arriving | undefined {
  const nowMs = performance.now();
  const bySender = [...Map.groupBy(bodies, ({ sender }) => sender).values()];
  const [heaviest = []] = bySender.sort((a, b) => sum(b) - sum(a));
  return heaviest.toSorted((a, b) => costAt(b, nowMs) - costAt(a, nowMs))[0];
}
