// A host whose functions form a chain: queue, table, stream, bus, queue, table.
import { expect } from 'vitest';
import type { Host } from '../../../infra/local/host.ts';
import { chainFunctions, chainQueues } from './fixtures/manifest.ts';
import { memoryHost } from './local-host.ts';

export const chainHost = (more: Parameters<typeof memoryHost>[0] = {}) =>
  memoryHost({ functions: chainFunctions, queues: chainQueues, ...more });

export async function startChain(host: Host, id: string, more: Record<string, unknown> = {}): Promise<void> {
  const response = await fetch(`${host.baseUrl}/chain`, {
    method: 'POST',
    body: JSON.stringify({ id, ...more }),
    headers: { 'content-type': 'application/json' },
  });
  expect(response.status).toBe(202);
}
export const isDone = async (host: Host, id: string) =>
  (await host.table.get({ pk: `CHAIN#${id}`, sk: 'DONE' }, { consistent: true })) !== undefined;
