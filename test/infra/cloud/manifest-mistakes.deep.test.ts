// What the stack refuses to deploy.
import { describe, expect, test } from 'vitest';
import type { FunctionSpec } from '../../../infra/function-spec.ts';
import { functions, queues } from './fixtures/manifest.ts';
import { synthesize } from './synthesize.ts';

describe('a mistake in the manifest is rejected', () => {
  test('a queue without a reader', async () => {
    const { eraser: _, ...rest } = functions;
    await expect(synthesize({ functions: rest, queues })).rejects.toThrow('The queue seed needs exactly one function');
  });

  test('a path that two functions claim', async () => {
    const twice: Record<string, FunctionSpec> = { ...functions, twin: functions.people };
    await expect(synthesize({ functions: twice, queues })).rejects.toThrow(
      /people and twin have routes on \/v1\/people/,
    );
  });

  test('an API without a fallback', async () => {
    const { home: _, ...rest } = functions;
    await expect(synthesize({ functions: rest, queues })).rejects.toThrow('fallback');
  });
});
