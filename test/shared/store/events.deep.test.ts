import { test } from 'vitest';
import { onEveryEngine } from '../../harness/every-engine.ts';
import { startTable } from './engines.ts';
import { checkRacingPublishers } from './racing-publishers.ts';

onEveryEngine('the outbox', (kind) => {
  test('however batches repeat, overlap, race and fail, numbers are dense and every event has one', async ({
    onTestFinished,
  }) => {
    const place = await startTable(kind);
    onTestFinished(place.stop);
    await checkRacingPublishers(place.table, kind === 'dynoxide' ? 15 : 5);
  });
});
