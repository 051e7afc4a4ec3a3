// Splits an upload of many years into chunks of limited days, so that a worker finishes each long
// before its deadline.
import type { UploadBody } from './upload.ts';

const maxDays = 400;

export interface UploadChunk {
  records: UploadBody;
  /** The first and the last day of its records. */
  from: string;
  to: string;
}

/** Every record is in exactly one chunk, in its original order. */
export function splitUpload(records: UploadBody): UploadChunk[] {
  const { samples, daily, sleep, workouts } = records;
  const days = [...new Set([...samples, ...daily, ...sleep, ...workouts].map(readDay))].sort();
  if (days.length <= maxDays) return [{ records, from: days[0] ?? '', to: days.at(-1) ?? '' }];
  const chunkByDay = new Map(days.map((day, index) => [day, Math.floor(index / maxDays)]));
  const chunks: UploadChunk[] = [];
  for (let first = 0; first < days.length; first += maxDays)
    chunks.push({
      records: { ...records, samples: [], daily: [], sleep: [], workouts: [] },
      from: days[first] ?? '',
      to: days[Math.min(first + maxDays, days.length) - 1] ?? '',
    });
  for (const list of ['samples', 'daily', 'sleep', 'workouts'] as const)
    for (const record of records[list]) chunks[chunkByDay.get(readDay(record)) ?? 0]?.records[list].push(record);
  return chunks;
}

/** The date as it is written. Its zone does not matter for splitting. */
function readDay(record: unknown): string {
  const { date, start } = Object(record);
  return String(date ?? start).slice(0, 'YYYY-MM-DD'.length);
}
