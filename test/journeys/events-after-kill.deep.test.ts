import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type ChildHost, startChildHost } from '../harness/child-host.ts';
import { createUsers, faultSeeds, randomFrom } from '../harness/faults.ts';
import { oneTo } from '../harness/outbox.ts';

const kills = 2;
const writers = 4;

async function get(host: ChildHost, path: string) {
  for (;;) {
    const response = await fetch(host.baseUrl + path, { headers: { authorization: `Bearer ${host.demo.live_key}` } });
    if (response.status === 200) return JSON.parse(await response.text());
    if (response.status !== 429) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await response.body?.cancel();
  }
}

async function listUsers(host: ChildHost): Promise<string[]> {
  const users: string[] = [];
  let cursor: string | null = null;
  do {
    const page: { data: { id: string }[]; next_cursor: string | null } = await get(
      host,
      `/v1/users?limit=100${cursor === null ? '' : `&cursor=${cursor}`}`,
    );
    users.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return users;
}

/** Continues from a stored cursor until the feed has no more events. */
async function continueReading(
  host: ChildHost,
  reader: { cursor: string | undefined; users: string[] },
): Promise<void> {
  for (;;) {
    const page = await get(host, `/v1/events?types=user.created${reader.cursor ? `&cursor=${reader.cursor}` : ''}`);
    reader.users.push(...page.events.map((event: { user_id: string }) => event.user_id));
    reader.cursor = page.cursor;
    if (!page.has_more) return;
  }
}

test.each(faultSeeds(2))(
  'a host killed at any moment loses no event and publishes none twice (seed %i)',
  async (seed) => {
    const random = randomFrom(seed);
    const data = mkdtempSync(join(tmpdir(), 'daybook-'));
    let host: ChildHost | undefined;
    onTestFinished(async () => {
      await host?.kill();
      rmSync(data, { recursive: true, force: true });
    });
    const acknowledged = new Set<string>();
    const reader = { cursor: undefined, users: [] };

    for (let round = 0; round < kills; round++) {
      const running = await startChildHost(data);
      host = running;
      const enough = acknowledged.size + 1 + Math.floor(random() * 60);
      const delayMs = random() * 150;
      const reached = Promise.withResolvers<void>();
      const writing = oneTo(writers).map(() =>
        createUsers(running, (user) => {
          acknowledged.add(user);
          if (acknowledged.size === enough) reached.resolve();
        }),
      );
      await Promise.race([reached.promise, Promise.all(writing)]);
      await continueReading(running, reader);
      // The kill falls within a write, a numbering or a publication, depending on the seed.
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      await running.kill();
      await Promise.all(writing);
    }

    const last = await startChildHost(data);
    host = last;
    const users = await listUsers(last);
    expect(users).toEqual(expect.arrayContaining([...acknowledged]));
    await vi.waitFor(
      async () => {
        await continueReading(last, reader);
        expect(reader.users.length).toBeGreaterThanOrEqual(users.length);
      },
      { timeout: 20_000, interval: 20 },
    );
    expect(reader.users.toSorted()).toEqual(users.toSorted());
  },
  60_000,
);
