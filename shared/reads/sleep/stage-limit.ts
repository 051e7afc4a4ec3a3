// Limits the stages of one list: a response must fit in memory and in what a function may return.
import { countPackedStages } from '../../measurements/codec/sleep-stages.ts';
import type { SleepRow } from '../../measurements/rows/session-rows.ts';
import { Failure } from '../../system/failure.ts';

const maxListedStages = 40_000;

/** `parameter` is the one with which the caller asks for fewer sessions. */
export function assertFewStages(
  sessions: readonly { row: Pick<SleepRow, 'stages'> }[],
  parameter: 'limit' | 'end_date',
): void {
  const count = sessions.reduce((sum, { row }) => sum + countPackedStages(row.stages ?? ''), 0);
  if (count <= maxListedStages) return;
  const remedy = parameter === 'limit' ? 'request smaller pages' : 'request fewer days';
  const message = `selects ${count} stages, but the limit is ${maxListedStages}: ${remedy}`;
  throw new Failure('invalid_request', `The parameter ${parameter} ${message}.`, {
    details: { issues: [{ path: parameter, message }] },
  });
}
