// Checks that users are listed page by page, each once, while others are being created.
import { expect } from 'vitest';
import type { System } from '../harness/system.ts';

export async function pageThroughUsers(
  system: System,
  token: string,
  count: number,
  limits: readonly number[],
): Promise<void> {
  const created: string[] = [];
  while (created.length < count) {
    created.push(...(await Promise.all(Array.from({ length: 10 }, () => system.user(token)))));
    system.clock.advance(200);
  }
  const expected = created.toSorted().reverse();
  for (const limit of limits) {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      system.clock.advance(50);
      const suffix: string = cursor === null ? '' : `&cursor=${cursor}`;
      const response = await system.call('GET', `/v1/users?limit=${limit}${suffix}`, { token });
      expect(response.body.data.length).toBeLessThanOrEqual(limit);
      seen.push(...response.body.data.map(({ id }: { id: string }) => id));
      cursor = response.body.next_cursor;
      if (seen.length === limit) await system.user(token);
    } while (cursor !== null);
    expect(seen.filter((id) => created.includes(id))).toEqual(expected);
    expect(new Set(seen).size).toBe(seen.length);
  }
}
