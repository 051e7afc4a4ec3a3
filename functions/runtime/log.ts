// Writes one JSON object per line to standard output, for both CloudWatch and people.
import { outlineError, quotesData } from '../../shared/platform/error-outline.ts';
import type { Log } from '../../shared/platform/ports.ts';

export const writeLog: Log = (level, code, fields) => {
  process.stdout.write(`${formatLogLine(level, code, fields)}\n`);
};

/** The code is the `message` of a line, and no field overwrites it, the time or the level. */
export function formatLogLine(...[level, code, fields = {}]: Parameters<Log>): string {
  const line = { time: new Date().toISOString(), level, message: code };
  return JSON.stringify({ ...line, ...fields, ...line }, serializeError);
}

function serializeError(_name: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  if (quotesData(value)) return { ...outlineError(value), cause: value.cause };
  return { name: value.name, message: value.message, stack: value.stack, cause: value.cause };
}
