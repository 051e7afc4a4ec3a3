// How far each function has read the table's stream. Positions persist across restarts: records
// that a crash interrupted are handled again, never skipped.
import { join } from 'node:path';
import * as z from 'zod';
import { readFileIfExists, writeFileAtomically } from './data-files.ts';

/**
 * `read` is the last sequence number handled. A finished shard was closed by the engine and handled
 * to its end.
 */
const Position = z.object({ read: z.string().optional(), finished: z.boolean().optional() });
export type Position = z.infer<typeof Position>;

const PositionsFile = z.object({
  stream: z.string(),
  functions: z.record(z.string(), z.record(z.string(), Position)),
});

export interface StreamPositions {
  get(functionName: string, shard: string): Position;
  set(functionName: string, shard: string, position: Position): void;
}

/**
 * Positions belong to one stream: another table, or the same table created again, starts from its
 * beginning.
 */
export function openStreamPositions(dataDir: string, streamArn: string): StreamPositions {
  const path = dataDir === 'memory' ? undefined : join(dataDir, 'stream.json');
  const text = path === undefined ? undefined : readFileIfExists(path);
  const saved = text === undefined ? undefined : PositionsFile.parse(JSON.parse(text));
  const functions = saved?.stream === streamArn ? saved.functions : {};
  return {
    get: (functionName, shard) => functions[functionName]?.[shard] ?? {},
    set(functionName, shard, position) {
      const shards = functions[functionName] ?? {};
      shards[shard] = position;
      functions[functionName] = shards;
      if (path !== undefined) writeFileAtomically(path, JSON.stringify({ stream: streamArn, functions }));
    },
  };
}
