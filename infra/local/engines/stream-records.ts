// The engine's stream records, where it keeps them: an index that keeps writes fast, and an end for what has been read.
import { DatabaseSync } from 'node:sqlite';

export interface StreamRecords {
  /** Forgets what was read: the engine would keep it for good, with everything it says of people, and read past it at every look. */
  deleteThrough(sequenceNumber: string): void;
  close(): void;
}

/** Undefined for a release of the engine that keeps its stream elsewhere. */
export function openStreamRecords(databaseFile: string): StreamRecords | undefined {
  const database = new DatabaseSync(databaseFile, { timeout: 5_000 });
  const streamTable = database
    .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '_stream_records'")
    .get();
  if (!streamTable) {
    database.close();
    return undefined;
  }
  // The engine numbers each record by looking for the highest number so far; without an index that look grows with every write.
  database.exec(
    'CREATE INDEX IF NOT EXISTS daybook_stream_order ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
  );
  // What is deleted is overwritten, not only let go.
  database.exec('PRAGMA secure_delete = ON');
  // The newest one stays, as it has the highest number; what it tells goes.
  const deleteRead = database.prepare(
    'DELETE FROM _stream_records WHERE CAST(sequence_number AS INTEGER) <= CAST(? AS INTEGER) AND id < (SELECT max(id) FROM _stream_records)',
  );
  const clearImages = database.prepare(
    'UPDATE _stream_records SET new_image = NULL, old_image = NULL WHERE CAST(sequence_number AS INTEGER) <= CAST(? AS INTEGER) AND (new_image IS NOT NULL OR old_image IS NOT NULL)',
  );
  return {
    deleteThrough(sequenceNumber) {
      deleteRead.run(sequenceNumber);
      clearImages.run(sequenceNumber);
    },
    close: () => database.close(),
  };
}
