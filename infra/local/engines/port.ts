// Finds free ports on this machine.
import { createServer } from 'node:net';

/** Returns a port that was free a moment ago. The caller must be prepared to try another. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('this machine has no free port'));
        else resolve(address.port);
      });
    });
  });
}

export const isPortTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
