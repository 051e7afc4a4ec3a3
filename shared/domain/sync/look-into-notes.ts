// Works off what pushes announced. What the vendor cannot answer goes behind everything else, and is given up when only it fails.
import type { DayWindow } from '../../providers/pages.ts';
import type { SyncNote } from '../../store/syncs.ts';
import { VendorAway } from '../providers/send.ts';
import { guessedDays, lookInto } from './look-into.ts';
import { backoffMs, beforeLongMs, mayBeAsked, pollAfterMs, spread } from './sync-backoff.ts';
import { daysReadAgain, planned, type SyncRun } from './sync-run.ts';

/** So often the vendor may fail on one while it answers everything else. */
const mostTimes = 5;
/** None is begun after it. */
const mostMs = 35_000;

/** Those that were put off wait until everything else is done. */
export async function lookIntoNotes(run: SyncRun): Promise<void> {
  while (run.looked < run.row.notes.length) {
    const note = run.row.notes[run.looked];
    if (note?.putOff) {
      run.putOff.push(note);
      run.saidEnded ||= note.what === 'ended';
    } else if (note)
      try {
        heard(run, await lookInto(run, note));
      } catch (error) {
        if (!isUnanswered(error)) throw error;
        // Whether it is this one or the whole vendor is seen next time, when it comes last.
        run.putOff.push(later(run, note));
        run.looked += 1;
        throw error;
      }
    run.looked += 1;
  }
}

/** True when there may be more to read now. */
export async function lookIntoPutOff(run: SyncRun): Promise<boolean> {
  const { deps, adapter } = run;
  const due = run.putOff.filter(({ putOff }) => (putOff?.untilMs ?? 0) <= deps.clock.now());
  if (due.length === 0) return false;
  // The vendor has to answer something else first: only then a failure is this one's own.
  if (run.windows === 0 && mayBeAsked(adapter.descriptor)) {
    run.change = { ...run.change, ...withDays(run, [daysReadAgain(run)]) };
    return true;
  }
  for (const note of due) {
    await lookAgainInto(run, note);
    if (deps.clock.now() - run.startedMs >= mostMs) return false;
  }
  return true;
}

async function lookAgainInto(run: SyncRun, note: SyncNote): Promise<void> {
  const others = run.putOff.filter((each) => each !== note);
  try {
    heard(run, await lookInto(run, note));
    run.putOff = others;
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    const again = later(run, note);
    run.putOff = [...others, again];
    if (again.putOff.times < mostTimes) return;
    run.deps.log('warn', 'a vendor never answers about something that it announced; the last days are read instead', {
      provider: run.row.provider,
      device_id: run.row.device,
      message: error.message,
    });
    heard(run, await guessedDays(run, note));
    run.putOff = others;
    run.saidEnded = false;
  }
}

const isUnanswered = (error: unknown): error is VendorAway => error instanceof VendorAway && error.status !== 429;

function later({ deps }: SyncRun, note: SyncNote) {
  const times = (note.putOff?.times ?? 0) + 1;
  return { ...note, putOff: { times, untilMs: deps.clock.now() + backoffMs(times, deps.random.bytes(2)) } };
}

function heard(run: SyncRun, days: readonly DayWindow[]): void {
  const { deps, adapter } = run;
  const heardMs = deps.clock.now() + spread(pollAfterMs(adapter.descriptor), deps.random.bytes(2));
  const { pollMs, lookedMs } = planned(run);
  const nextMs = beforeLongMs(adapter.descriptor, lookedMs, Math.max(heardMs, pollMs));
  run.change = { ...run.change, pollMs: nextMs, ...withDays(run, days) };
}

export const withDays = (run: SyncRun, days: readonly DayWindow[]) =>
  days.length > 0 ? { again: [...planned(run).again, ...days] } : {};
