// The stream records in the engine's database: adds an index that keeps writes fast, and deletes
// records that have been read.
import { DatabaseSync } from 'node:sqlite';

export interface StreamRecords {
  /**
   * Deletes records that have been read. The engine would retain them forever, with the personal
   * data in them, and scan past them on every read.
   */
  deleteThrough(sequenceNumber: string): void;
  close(): void;
}

/** Returns undefined for a release of the engine that stores its stream elsewhere. */
export function openStreamRecords(databaseFile: string): StreamRecords | undefined {
  const database = new DatabaseSync(databaseFile, { timeout: 5_000 });
  const streamTable = database
    .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '_stream_records'")
    .get();
  if (!streamTable) {
    database.close();
    return undefined;
  }
  // The engine numbers each record by looking up the highest number so far. Without an index, that
  // lookup gets slower with every write.
  database.exec(
    'CREATE INDEX IF NOT EXISTS daybook_stream_order ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
  );
  // Overwrites deleted data instead of only releasing its pages.
  database.exec('PRAGMA secure_delete = ON');
  // The newest record stays, because it has the highest number, but its images are cleared.
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
