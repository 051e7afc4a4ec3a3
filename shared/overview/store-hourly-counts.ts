// Stores what every environment counted in the hour that has just ended. The sweep calls it every
// minute. Each row is inserted on a condition, so a repeated or a concurrent run counts
// nothing twice.

import { type AccountRow, accountRows } from '../accounts/account-rows.ts';
import { feedRows } from '../events/feed-rows.ts';
import { awaitAll } from '../platform/await-all.ts';
import { Environment } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { userCountRows } from '../users/user-count-rows.ts';
import { listEndpoints } from '../webhooks/list-endpoints.ts';
import { countHour, readingAtCreation, readingOfRow } from './count-hour.ts';
import { hourlyCountRows, hourMs, startOfHour } from './hourly-count-rows.ts';
import { takeReadings } from './readings.ts';

/** The next sweep continues. */
const maxRunMs = 15_000;
const accountsPerPage = 25;

export async function storeHourlyCounts(deps: Deps): Promise<void> {
  const { store, clock } = deps;
  const untilMs = clock.now() + maxRunMs;
  const startMs = startOfHour(clock.now()) - hourMs;
  const progress = await hourlyCountRows(store).findProgress();
  // A clock that is behind must not repeat an hour for which readings no longer exist.
  if (progress && (progress.startMs > startMs || (progress.startMs === startMs && progress.after === null))) return;
  let after = progress?.startMs === startMs ? (progress.after ?? undefined) : undefined;
  for (;;) {
    const { accounts, next } = await accountRows(store).readPage(after, accountsPerPage);
    await awaitAll(
      accounts.flatMap((account) => Environment.options.map((env) => storeHour(deps, account, env, startMs))),
    );
    after = next;
    if (after === undefined || clock.now() >= untilMs)
      return hourlyCountRows(store).saveProgress({ startMs, after: after ?? null });
  }
}

async function storeHour(deps: Deps, account: AccountRow, env: Environment, startMs: number): Promise<void> {
  const { store, clock } = deps;
  const { id, createdMs, perSecond } = account;
  if (createdMs >= startMs + hourMs) return;
  const last = await hourlyCountRows(store).findLast(id, env, startMs);
  if (last?.startMs === startMs) return;
  const takenMs = clock.now();
  const [people, feed, webhooks, environment] = await Promise.all([
    userCountRows(store).getTotal(id, env),
    feedRows(store).readEnd({ account: id, env }),
    listEndpoints(deps, { account: id, env }),
    accountRows(store).findEnvironment(id, env),
  ]);
  const readings = await takeReadings(deps, { people, feed, webhooks, environment, perSecond }, last?.readings);
  const before = last ? readingOfRow(last) : readingAtCreation(createdMs);
  const counted = countHour(startMs, before, readings, takenMs);
  await hourlyCountRows(store).insert(id, env, {
    startMs,
    takenMs,
    readings,
    counts: counted?.counts ?? null,
    periodMs: counted?.periodMs ?? 0,
    perSecond,
  });
}
