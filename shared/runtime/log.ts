// One JSON object per line on standard output: CloudWatch and people read the same lines.
import type { Log } from '../engine/ports.ts';

export const writeLog: Log = (level, message, fields) => {
  process.stdout.write(`${logLine(level, message, fields)}\n`);
};

export const logLine = (...[level, message, fields = {}]: Parameters<Log>): string =>
  JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }, plain);

function plain(_name: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return { name: value.name, message: value.message, stack: value.stack, cause: value.cause };
}
