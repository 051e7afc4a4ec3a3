// A pass without commands that fails: it only updates scores that are due.
import { expect, test } from 'vitest';
import { formatLogLine } from '../../../../functions/runtime/log.ts';
import { userWorker } from '../../../../functions/workers/write-user.ts';
import { PassFailed } from '../../../../shared/pipeline/writer/pass-failed.ts';
import type { Table } from '../../../../shared/platform/ports.ts';
import { keys } from '../../../../shared/system/keys.ts';
import { noPendingScores } from '../../../../shared/users/pending-scores.ts';
import { acceptStepsUpload, createMemoryUser } from '../../../harness/memory-user.ts';
import { printLog } from '../../../harness/print-log.ts';
import { runWriterUntilIdle } from '../../../harness/run-writer.ts';

async function createUserWithDueScores() {
  const user = await createMemoryUser();
  await acceptStepsUpload(user, '2026-03-10', 7);
  await runWriterUntilIdle(user.world.deps, user.id);
  const due = { from: '2026-03-10', to: '2026-03-10', dueMs: 0, atOnce: true };
  await user.table.write({
    kind: 'update',
    key: keys.user(user.id),
    update: 'SET #scores = :scores',
    values: { scores: { ...noPendingScores, days: [due] } },
  });
  return user;
}

test('the error of a pass without commands does not quote its cause, which may contain data', async () => {
  const user = await createUserWithDueScores();
  const refuse = () => Promise.reject(new TypeError('cannot write Ada61bpm'));
  const readOnly: Table = { ...user.table, write: refuse, transact: refuse };
  const run = userWorker(user.world.withTable(readOnly))({ user_id: user.id }, { receives: 1 });
  const error = await run.catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(PassFailed);
  expect(error).toMatchObject({ message: 'a pass without commands failed with TypeError' });
  expect(formatLogLine('error', 'queue_message_failed', { cause: error })).not.toContain('Ada61bpm');
});

test('scores that cannot be computed are postponed, and the log does not quote the cause', async () => {
  const user = await createUserWithDueScores();
  const failing: Table = {
    ...user.table,
    async *queryAll(query) {
      if (JSON.stringify(query).includes('D#')) throw new TypeError('cannot read Ada61bpm');
      yield* user.table.queryAll(query);
    },
  };
  await userWorker(user.world.withTable(failing))({ user_id: user.id }, { receives: 1 });
  const lines = user.world.log.filter(({ message }) => message === 'scoring_failed');
  expect(lines).toMatchObject([{ level: 'error', fields: { user_id: user.id, cause: { name: 'TypeError' } } }]);
  expect(printLog(lines)).not.toContain('Ada61bpm');
});
