// What it costs to bring events from the outbox into the feed: table calls a message, and write units an event.

import { feedWorker } from '../../../functions/workers/feed.ts';
import { startLocalTable } from '../../../infra/local/local-table.ts';
import {
  freshFeed,
  messagesAbout,
  newEvent,
  numberedEvents,
  oneTo,
  openOutbox,
  writeEvents,
} from '../../harness/outbox.ts';
import type { Measure, Row } from '../row.ts';

const holds = [
  { size: 1, atMostUnits: 7 },
  { size: 10, atMostUnits: 3.6 },
];

export const measure: Measure = async () => {
  const calls: { writeUnits: number }[] = [];
  const env = { PATH: process.env['PATH'] };
  const place = await startLocalTable({ dataDir: 'memory', env, meter: (call) => calls.push(call) });
  try {
    const outbox = openOutbox(place.table);
    const feed = freshFeed();
    await numberedEvents(outbox, feed, [newEvent(feed)]);
    const rows: Row[] = [];
    for (const { size, atMostUnits } of holds) {
      const keys = await writeEvents(
        outbox.store,
        oneTo(size).map(() => newEvent(feed)),
      );
      calls.length = 0;
      for (const message of messagesAbout(feed, keys)) await feedWorker(outbox)(message);
      const units = calls.reduce((sum, { writeUnits }) => sum + writeUnits, 0) / size;
      rows.push(
        { name: `number ${size}: table calls`, unit: 'calls', value: calls.length, hold: { atMost: 3 } },
        { name: `number ${size}: write units an event`, unit: 'units', value: units, hold: { atMost: atMostUnits } },
      );
    }
    return rows;
  } finally {
    await place.stop();
  }
};
