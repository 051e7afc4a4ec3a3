// Commands on users: wait until a user's data and scores have arrived.

import { setTimeout as sleep } from 'node:timers/promises';
import { hashIfApiKey } from '../../shared/accounts/admit-api-key.ts';
import { apiKeyRows, getEffectiveStatus } from '../../shared/accounts/api-key-rows.ts';
import { allDays } from '../../shared/measurements/date-span.ts';
import { dayRows } from '../../shared/measurements/rows/day-rows.ts';
import { scoreRows, unpackScoreDay } from '../../shared/measurements/rows/score-rows.ts';
import { formatTimestamp } from '../../shared/platform/time/time.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { Failure } from '../../shared/system/failure.ts';
import { type UserRow, userRows } from '../../shared/users/user-rows.ts';
import { assertOwnsUser, presentUser, userNotFound } from '../../shared/users/users.ts';
import { type CliCommand, type CommandResult, requireArgument, UsageError } from './command.ts';
import { type PendingData, readPendingData } from './pending-data.ts';

/** A year of sandbox days takes a few minutes. */
const defaultTimeoutSeconds = 300;
const maxTimeoutSeconds = 86_400;
const [firstPauseMs, maxPauseMs] = [100, 1_000];

export const userCommands: Record<string, CliCommand> = {
  'users wait': {
    usage: 'USER [--timeout SECONDS] [--key KEY]',
    summary: `wait until everything that was sent for a user has arrived and is scored, for ${defaultTimeoutSeconds} seconds at most unless --timeout says otherwise. With --key, the user must be one that the key can read`,
    prepare(args) {
      const userId = requireArgument(args.positional ?? args.user, 'The user');
      const timeoutSeconds = parseTimeout(args.timeout);
      return async (deps, store = { isServed: true }) => {
        if (args.key !== undefined) await assertReadable(deps, args.key, userId);
        const user = await waitForData(deps, userId, { timeoutSeconds, isServed: store.isServed });
        return summarizeUser(deps, user);
      };
    },
  },
};

async function waitForData(
  deps: Deps,
  userId: string,
  { timeoutSeconds, isServed }: { timeoutSeconds: number; isServed: boolean },
): Promise<UserRow> {
  const pause = deps.clock.pause ?? sleep;
  const untilMs = deps.clock.now() + timeoutSeconds * 1000;
  const progress = createProgressLine();
  try {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(maxPauseMs, pauseMs * 1.5)) {
      const pending = await readPendingData(deps, userId);
      if (!pending) throw userNotFound(userId);
      if (pending.waitingFor.length === 0) return pending.user;
      if (!isServed)
        throw new Failure(
          'unavailable',
          `User ${userId} waits for ${pending.waitingFor.join(', ')}, but no service is running. Start it with npm start, then run this command again.`,
        );
      if (deps.clock.now() >= untilMs) throw createTimeoutFailure(pending, timeoutSeconds);
      progress.show(`Waiting for ${pending.waitingFor.join(', ')}`);
      await pause(pauseMs);
    }
  } finally {
    progress.clear();
  }
}

function createTimeoutFailure({ user, waitingFor }: PendingData, timeoutSeconds: number): Failure {
  const longerSeconds = Math.min(maxTimeoutSeconds, timeoutSeconds * 5);
  const longerAdvice = longerSeconds > timeoutSeconds ? `Wait longer with --timeout ${longerSeconds}. ` : '';
  const advice =
    user.lastSyncMs === null && user.env === 'live'
      ? 'A live user has no data until a device is connected or a phone uploads.'
      : `${longerAdvice}If nothing changes, see "devices show --user ${user.id}", "uploads list" and the output of the service.`;
  return new Failure(
    'unavailable',
    `After ${timeoutSeconds} seconds, user ${user.id} still waits for ${waitingFor.join(', ')}. ${advice}`,
  );
}

/** Shown in a terminal only, so that scripts and logs stay clean. */
function createProgressLine(): { show(text: string): void; clear(): void } {
  const clearLine = '\r\u001b[K';
  const write = (text: string) => process.stderr.isTTY && process.stderr.write(text);
  return { show: (text) => write(`${clearLine}${text} …`), clear: () => write(clearLine) };
}

/** Another account's user is treated as missing. */
async function assertReadable(deps: Deps, key: string, userId: string): Promise<void> {
  const hash = hashIfApiKey(deps, key);
  const row = hash === undefined ? undefined : await apiKeyRows(deps.store).find(hash);
  const status = row && getEffectiveStatus(row, deps.clock.now());
  if (!row || status === 'revoked' || status === 'expired')
    throw new Failure('invalid_token', 'The key is not one of this deployment, was revoked, or has expired.');
  assertOwnsUser(row, userId, await userRows(deps.store).findById(userId));
}

async function summarizeUser(deps: Deps, user: UserRow): Promise<CommandResult> {
  const dates: string[] = [];
  const consistent = { consistent: true };
  const days = dayRows(deps.store).iterateCanonical(user.id, allDays.from, allDays.to, consistent);
  for await (const { date } of days) dates.push(date);
  const scoredDates: string[] = [];
  for await (const day of scoreRows(deps.store).iterateBetween(user.id, allDays.from, allDays.to, consistent))
    if ((unpackScoreDay(day, user.scoreGeneration)?.scores.size ?? 0) > 0) scoredDates.push(day.date);
  const { score_status, last_sync_at, last_score_at } = presentUser(user, {});
  const nextScoreMs = Math.min(...user.scores.days.map(({ dueMs }) => dueMs));
  const json = {
    user_id: user.id,
    ...{ last_sync_at, last_score_at, score_status },
    days: summarizeDates(dates),
    scored_days: summarizeDates(scoredDates),
    next_score_at: user.scores.days.length === 0 ? null : formatTimestamp(nextScoreMs),
  };
  const text = [
    `${user.id} has ${renderDays('data', json.days)} and ${renderDays('scores', json.scored_days)}.`,
    ...(json.next_score_at === null ? [] : [`Recent scores may still change, from ${json.next_score_at} on.`]),
  ].join(' ');
  return { json, text };
}

interface DateSummary {
  count: number;
  first: string | null;
  last: string | null;
}

const summarizeDates = (dates: readonly string[]): DateSummary => ({
  count: dates.length,
  first: dates[0] ?? null,
  last: dates.at(-1) ?? null,
});

const renderDays = (what: string, { count, first, last }: DateSummary): string =>
  count === 0 ? `no ${what}` : `${what} for ${count} ${count === 1 ? 'day' : 'days'} (${first} to ${last})`;

function parseTimeout(text: string | undefined): number {
  if (text === undefined) return defaultTimeoutSeconds;
  if (!/^[1-9]\d{0,4}$/.test(text) || Number(text) > maxTimeoutSeconds)
    throw new UsageError(`--timeout must be a whole number of seconds from 1 to ${maxTimeoutSeconds}.`);
  return Number(text);
}
