// One JSON object per line on standard output: CloudWatch and people read the same lines.
import type { Log } from '../../shared/platform/ports.ts';

export const writeLog: Log = (level, message, fields) => {
  process.stdout.write(`${formatLogLine(level, message, fields)}\n`);
};

/** Metrics are made of lines by their words: no field takes the place of these. */
export const formatLogLine = (...[level, message, { message: detail, ...fields } = {}]: Parameters<Log>): string =>
  JSON.stringify({ time: new Date().toISOString(), level, message, detail, ...fields }, serializeError);

function serializeError(_name: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return { name: value.name, message: value.message, stack: value.stack, cause: value.cause };
}
