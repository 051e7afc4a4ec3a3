import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sendBatches, splitIntoBatches } from '../../../shared/platform/aws/batches.ts';

describe('batches', () => {
  test('hold every element in order, within both limits, and could not hold one more', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 50 })), fc.integer({ min: 1, max: 10 }), (sizes, limit) => {
        const batches = splitIntoBatches(sizes, { maxCount: limit, maxBytes: 100, sizeOf: (size) => size });
        expect(batches.flat()).toEqual(sizes);
        for (const [index, batch] of batches.entries()) {
          const bytes = batch.reduce((sum, size) => sum + size, 0);
          expect(batch.length).toBeGreaterThan(0);
          expect(batch.length).toBeLessThanOrEqual(limit);
          expect(bytes).toBeLessThanOrEqual(100);
          const next = batches[index + 1]?.[0];
          if (next !== undefined) expect(batch.length === limit || bytes + next > 100).toBe(true);
        }
      }),
    );
  });

  test('are each sent once, at most eight at a time', async () => {
    const sent: number[] = [];
    let running = 0;
    let maxRunning = 0;
    await sendBatches(
      Array.from({ length: 30 }, (_, number) => [number]),
      async ([number = -1]) => {
        running += 1;
        maxRunning = Math.max(maxRunning, running);
        await Promise.resolve();
        sent.push(number);
        running -= 1;
      },
    );
    expect(sent.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, number) => number));
    expect(maxRunning).toBe(8);
  });

  test('are not started after a failure', async () => {
    let begun = 0;
    const sending = sendBatches(
      Array.from({ length: 30 }, () => [0]),
      async () => {
        begun += 1;
        throw new Error('full');
      },
    );
    await expect(sending).rejects.toThrow('full');
    expect(begun).toBe(8);
  });

  test('that are on their way when one fails have ended before the failure is reported', async () => {
    let ended = 0;
    const batches = Array.from({ length: 8 }, (_, number) => [number]);
    const sending = sendBatches(batches, async ([number = 0]) => {
      if (number === 0) throw new Error('full');
      for (let turn = 0; turn < 20 * number; turn += 1) await Promise.resolve();
      ended += 1;
    });
    await expect(sending).rejects.toThrow('full');
    expect(ended).toBe(7);
  });
});
