// Requests per second through the whole local system, including gateway and table engine. For
// information only, because machines differ.
import { startSystem } from '../../harness/system.ts';
import type { Measure } from '../row.ts';

/** Few enough per key to stay below its rate limit. */
const requestsPerKey = 150;
const keys = 16;
const concurrency = 16;

export const measure: Measure = async () => {
  const system = await startSystem();
  try {
    const accounts = await Promise.all(Array.from({ length: keys }, () => system.account()));
    const waiting = Array.from({ length: requestsPerKey }, () => accounts).flat();
    const url = `${system.host.baseUrl}/v1/users`;
    const worker = async () => {
      for (let account = waiting.pop(); account; account = waiting.pop()) {
        const response = await fetch(url, { headers: { authorization: `Bearer ${account.live_key}` } });
        await response.arrayBuffer();
        if (response.status !== 200) throw new Error(`a request returned ${response.status}`);
      }
    };
    const start = performance.now();
    await Promise.all(Array.from({ length: concurrency }, worker));
    const seconds = (performance.now() - start) / 1000;
    return [{ name: 'local throughput', unit: 'requests/s', value: Math.round((keys * requestsPerKey) / seconds) }];
  } finally {
    await system.stop();
  }
};
