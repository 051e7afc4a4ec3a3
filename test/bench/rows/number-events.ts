// The cost of moving events from the outbox to the feed: table calls per message, and write units
// per event.

import { feedWorker } from '../../../functions/workers/feed.ts';
import { startLocalTable } from '../../../infra/local/local-table.ts';
import {
  feedMessages,
  newEvent,
  newFeedName,
  oneTo,
  openOutbox,
  writeAndNumberEvents,
  writeEvents,
} from '../../harness/outbox.ts';
import type { Measure, Row } from '../row.ts';

const unitBounds = [
  { size: 1, maxUnits: 7 },
  { size: 10, maxUnits: 3.6 },
];

export const measure: Measure = async () => {
  const calls: { writeUnits: number }[] = [];
  const env = { PATH: process.env['PATH'] };
  const localTable = await startLocalTable({ dataDir: 'memory', env, meter: (call) => calls.push(call) });
  try {
    const outbox = openOutbox(localTable.table);
    const feed = newFeedName();
    await writeAndNumberEvents(outbox, feed, [newEvent(feed)]);
    const rows: Row[] = [];
    for (const { size, maxUnits } of unitBounds) {
      const keys = await writeEvents(
        outbox.store,
        oneTo(size).map(() => newEvent(feed)),
      );
      calls.length = 0;
      for (const message of feedMessages(feed, keys)) await feedWorker(outbox)(message);
      const units = calls.reduce((sum, { writeUnits }) => sum + writeUnits, 0) / size;
      rows.push(
        { name: `number ${size}: table calls`, unit: 'calls', value: calls.length, bound: { max: 3 } },
        { name: `number ${size}: write units an event`, unit: 'units', value: units, bound: { max: maxUnits } },
      );
    }
    return rows;
  } finally {
    await localTable.stop();
  }
};
