import { expect, test } from 'vitest';
import * as z from 'zod';
import { formatLogLine } from '../../../../functions/runtime/log.ts';
import { logFieldNames } from '../../../../shared/platform/log-codes.ts';

test('an error is logged with the whole chain of its causes', () => {
  const deep = new Error('outer', { cause: new TypeError('inner', { cause: new Error('root') }) });
  const line = JSON.parse(formatLogLine('error', 'sync_failed', { cause: deep }));
  expect(line).toMatchObject({
    level: 'error',
    message: 'sync_failed',
    cause: {
      name: 'Error',
      message: 'outer',
      cause: { name: 'TypeError', message: 'inner', cause: { message: 'root' } },
    },
  });
  expect(formatLogLine('info', 'request', { reason: 'of\nmany' })).not.toContain('\n');
});

test('no field overwrites the time, the level or the code of a line', () => {
  const odd = { time: 'yesterday', level: 'info', message: 'nothing happened' };
  const { time, ...line } = JSON.parse(formatLogLine('error', 'sync_failed', { ...odd, provider: 'oura' }));
  expect(Date.parse(time)).not.toBeNaN();
  expect(line).toEqual({ level: 'error', message: 'sync_failed', provider: 'oura' });
  expect(logFieldNames.filter((name) => name in odd)).toEqual([]);
});

test('every line begins with the time, the level and the code', () => {
  const line = JSON.parse(formatLogLine('warn', 'sync_failed', { provider: 'oura' }));
  expect(Object.keys(line)).toEqual(['time', 'level', 'message', 'provider']);
});

/** The error that the function throws. */
function catchError(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('nothing was thrown');
}

test.each([
  ['SyntaxError', () => JSON.parse('Ada61bpm')],
  ['RangeError', () => new Intl.DateTimeFormat('en', { timeZone: 'Ada61bpm' })],
  ['ZodError', () => z.strictObject({}).parse({ Ada61bpm: 1 })],
  ['$ZodError', () => z.core.parse(z.strictObject({}), { Ada61bpm: 1 })],
])('a %s is logged without its message, because it quotes the data that it rejects', (name, run) => {
  const error = catchError(run);
  expect(error.message).toContain('Ada61bpm');
  const cause = new Error('outer', { cause: error });
  for (const line of [
    formatLogLine('error', 'sync_failed', { cause }),
    formatLogLine('warn', 'mail_unavailable', { cause: error }),
  ])
    expect(line).not.toContain('Ada61bpm');
  expect(JSON.parse(formatLogLine('error', 'sync_failed', { cause }))).toMatchObject({
    cause: { message: 'outer', cause: { name, frames: expect.any(Array) } },
  });
});

test('the cause of an error that is logged without its message is logged like any other', () => {
  const cause = new RangeError('Ada61bpm', { cause: new Error('root', { cause: new RangeError('Ada61bpm') }) });
  const line = formatLogLine('error', 'sync_failed', { cause });
  expect(line).not.toContain('Ada61bpm');
  expect(JSON.parse(line)).toMatchObject({ cause: { cause: { message: 'root', cause: { name: 'RangeError' } } } });
});

test('the code of an error is logged only if it is a code of Node', () => {
  const logCause = (code: unknown) =>
    JSON.parse(formatLogLine('error', 'sync_failed', { cause: Object.assign(new RangeError('Ada61bpm'), { code }) }));
  expect(logCause('ERR_OUT_OF_RANGE')).toMatchObject({ cause: { name: 'RangeError', code: 'ERR_OUT_OF_RANGE' } });
  for (const other of ['Ada61bpm', 61, 'A'.repeat(41)]) expect(logCause(other).cause).not.toHaveProperty('code');
});

test('the frames of an error are logged only if its message can be removed from them', () => {
  const error = new RangeError('Ada61bpm\n    at Ada61bpm');
  expect(JSON.parse(formatLogLine('error', 'sync_failed', { cause: error })).cause.frames[0]).toContain('log.test.ts');
  error.message = 'changed later';
  const line = formatLogLine('error', 'sync_failed', { cause: error });
  expect(line).not.toContain('Ada61bpm');
  expect(JSON.parse(line).cause.frames).toEqual([]);
});
