// Writes one JSON object per line to standard output, for both CloudWatch and people.
import { outlineError, quotesData } from '../../shared/platform/error-outline.ts';
import type { Log } from '../../shared/platform/ports.ts';

export const writeLog: Log = (level, message, fields) => {
  process.stdout.write(`${formatLogLine(level, message, fields)}\n`);
};

/**
 * Metric filters match `message`, and people search by `level` and `time`, so no field can
 * overwrite them. A field with the name `message` becomes `detail`.
 */
export const formatLogLine = (
  ...[level, message, { message: detail, time: _time, level: _level, ...fields } = {}]: Parameters<Log>
): string => JSON.stringify({ time: new Date().toISOString(), level, message, detail, ...fields }, serializeError);

function serializeError(_name: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  if (quotesData(value)) return { ...outlineError(value), cause: value.cause };
  return { name: value.name, message: value.message, stack: value.stack, cause: value.cause };
}
