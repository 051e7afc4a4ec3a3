import { describe, expect, test } from 'vitest';
import { chainHost, isDone, startChain } from './chain-host.ts';
import { resetGate } from './fixtures/journal.ts';
import { chainFunctions, httpFunctions } from './fixtures/manifest.ts';
import { memoryHost } from './local-host.ts';

describe('drain', () => {
  test('returns only when a request has completed its chain: queue, table, stream, bus, queue, table', async () => {
    const host = await chainHost();
    for (let round = 0; round < 3; round += 1) {
      const ids = Array.from({ length: 5 }, (_, i) => `${round}-${i}`);
      await Promise.all(ids.map((id) => startChain(host, id)));
      await host.drain();
      expect(await Promise.all(ids.map((id) => isDone(host, id)))).toEqual(ids.map(() => true));
    }
  });

  test('skips the pauses of workers, which a clock of the test has as well', async () => {
    const host = await memoryHost({ functions: httpFunctions, clock: { now: () => Date.now() } });
    let isOver = false;
    const pausing = host.deps.clock.pause?.(60_000).then(() => {
      isOver = true;
    });
    await (await chainHost()).drain();
    expect(isOver).toBe(false);
    await host.drain();
    await pausing;
    expect(isOver).toBe(true);
  });

  test('waits for a request in progress', async () => {
    const host = await memoryHost({ functions: httpFunctions });
    const gate = resetGate();
    const request = fetch(`${host.baseUrl}/door`);
    await gate.arrived;
    let drained = false;
    const draining = host.drain().then(() => {
      drained = true;
    });
    // A complete drain of a second host gives the first one enough time to return by mistake.
    await (await chainHost()).drain();
    expect(drained).toBe(false);
    gate.open();
    await draining;
    expect((await request).status).toBe(204);
  });

  test('checks the stream again after a message in progress has been handled', async () => {
    const host = await chainHost();
    const gate = resetGate();
    await startChain(host, 'late', { gated: true });
    await gate.arrived;
    const draining = host.drain();
    // Enough time for the drain to find the stream empty and to wait for the message.
    await (await chainHost()).drain();
    gate.open();
    await draining;
    expect(await isDone(host, 'late')).toBe(true);
  });

  test('waits for every batch in progress, and slow batches do not block others', async () => {
    const first = chainFunctions['chain-first'];
    if (!first) throw new Error('the fixture manifest has no chain-first');
    const wide = {
      ...first,
      trigger: { kind: 'queue', queue: 'first', batchSize: 1, localConcurrency: 9 },
    } as const;
    const host = await chainHost({ functions: { ...chainFunctions, 'chain-first': wide } });
    const gate = resetGate();
    const slow = Array.from({ length: 8 }, (_, i) => `slow-${i}`);
    for (const id of slow) await startChain(host, id, { gated: true });
    await gate.arrived;
    const quick = ['quick-0', 'quick-1', 'quick-2'];
    for (const id of quick) await startChain(host, id);
    const draining = host.drain();
    while ((await Promise.all(quick.map((id) => isDone(host, id)))).includes(false));
    expect(await isDone(host, 'slow-0')).toBe(false);
    gate.open();
    await draining;
    expect(await Promise.all(slow.map((id) => isDone(host, id)))).toEqual(slow.map(() => true));
  });

  test('returns immediately when there is nothing to do', async () => {
    const host = await chainHost();
    await Promise.all([host.drain(), host.drain(), host.drain()]);
  });
});

test('of one host does not wait for another host', async () => {
  const [one, two] = await Promise.all([chainHost(), chainHost()]);
  await startChain(one, 'mine');
  await Promise.all([one.drain(), two.drain()]);
  expect(await isDone(one, 'mine')).toBe(true);
  expect(await isDone(two, 'mine')).toBe(false);
});
