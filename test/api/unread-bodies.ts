// What every POST that takes no body does with one.
import { expect, test } from 'vitest';
import type { ApiResponse } from '../harness/send-request.ts';

export function testUnreadBodies({
  send,
  sendValid,
}: {
  send: (raw: string) => Promise<ApiResponse>;
  /** Sends a valid request with this body. */
  sendValid: (raw: string) => Promise<{ status: number; expected: number }>;
}): void {
  test.each(['{"from_date":"2026-03-01"}', 'hello', '[]', 'null', `{${' '.repeat(20_000)}}`])(
    'refuses a body, because it reads none: %#',
    async (raw) => {
      const response = await send(raw);
      expect([response.status, response.body.error]).toEqual([400, 'invalid_body']);
      expect(response.body.message).toBe('This call takes no body. Send it without one.');
    },
  );

  test('accepts an empty object, which some clients send with every POST', async () => {
    const { status, expected } = await sendValid(' {} ');
    expect(status).toBe(expected);
  });
}
