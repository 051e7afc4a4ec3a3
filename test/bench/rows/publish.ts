// What it costs to bring events from the outbox to the bus: table calls a batch, and write units an event.
import { startLocalTable } from '../../../infra/local/local-table.ts';
import { publishEvents } from '../../../shared/domain/events/publish-events.ts';
import { freshFeed, newEvent, oneTo, openOutbox, writeEvents } from '../../harness/outbox.ts';
import type { Measure, Row } from '../row.ts';

const holds = [
  { size: 1, atMostUnits: 8 },
  { size: 10, atMostUnits: 6.2 },
];

export const measure: Measure = async () => {
  const calls: { writeUnits: number }[] = [];
  const env = { PATH: process.env['PATH'] };
  const place = await startLocalTable({ dataDir: 'memory', env, meter: (call) => calls.push(call) });
  try {
    const outbox = openOutbox(place.table);
    const feed = freshFeed();
    const rows: Row[] = [];
    for (const { size, atMostUnits } of holds) {
      const ids = await writeEvents(
        outbox.store,
        oneTo(size).map(() => newEvent(feed)),
      );
      calls.length = 0;
      await publishEvents(outbox, ids, [feed]);
      const units = calls.reduce((sum, { writeUnits }) => sum + writeUnits, 0) / size;
      rows.push(
        { name: `publish ${size}: table calls`, unit: 'calls', value: calls.length, hold: { atMost: 3 } },
        { name: `publish ${size}: write units an event`, unit: 'units', value: units, hold: { atMost: atMostUnits } },
      );
    }
    return rows;
  } finally {
    await place.stop();
  }
};
