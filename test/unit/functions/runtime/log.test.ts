import { expect, test } from 'vitest';
import { formatLogLine } from '../../../../functions/runtime/log.ts';

test('an error is logged with the whole chain of its causes', () => {
  const deep = new Error('outer', { cause: new TypeError('inner', { cause: new RangeError('root') }) });
  const line = JSON.parse(formatLogLine('error', 'it failed', { cause: deep }));
  expect(line).toMatchObject({
    level: 'error',
    message: 'it failed',
    cause: {
      name: 'Error',
      message: 'outer',
      cause: { name: 'TypeError', message: 'inner', cause: { message: 'root' } },
    },
  });
  expect(formatLogLine('info', 'a line', { text: 'of\nmany' })).not.toContain('\n');
});

test('the message of a line stays its message, even if a field has the same name', () => {
  const line = JSON.parse(
    formatLogLine('warn', 'provider_unavailable', { provider: 'oura', message: 'it answered 503' }),
  );
  expect(line).toMatchObject({ message: 'provider_unavailable', detail: 'it answered 503', provider: 'oura' });
});

test('no field overwrites the level or the time of a line', () => {
  const line = JSON.parse(
    formatLogLine('error', 'sync_failed', { level: 'info', time: 'yesterday', provider: 'oura' }),
  );
  expect(line).toMatchObject({ level: 'error', message: 'sync_failed', provider: 'oura' });
  expect(Date.parse(line.time)).not.toBeNaN();
});
