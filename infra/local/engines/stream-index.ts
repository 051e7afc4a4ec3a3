// The engine numbers each stream record by looking for the highest number so far; without an index that look grows with every write.
import { DatabaseSync } from 'node:sqlite';

export function indexStreamRecords(databaseFile: string): void {
  const database = new DatabaseSync(databaseFile, { timeout: 5_000 });
  try {
    const known = database
      .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '_stream_records'")
      .get();
    // A release of the engine that keeps its stream elsewhere needs no index of ours.
    if (!known) return;
    database.exec(
      'CREATE INDEX IF NOT EXISTS daybook_stream_order ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
    );
  } finally {
    database.close();
  }
}
