// A log as operators read it: an error appears with its message, which JSON.stringify leaves out.
import { formatLogLine } from '../../functions/runtime/log.ts';
import type { LogLine } from './system.ts';

export const printLog = (log: readonly LogLine[]): string =>
  log.map(({ level, message, fields }) => formatLogLine(level, message, fields)).join('\n');
