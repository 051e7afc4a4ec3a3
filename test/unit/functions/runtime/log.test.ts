import { expect, test } from 'vitest';
import { formatLogLine } from '../../../../functions/runtime/log.ts';

test('an error is told with what caused it, however deep', () => {
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

test('what a line is about stays its message, whatever its fields are called', () => {
  const line = JSON.parse(formatLogLine('warn', 'a vendor is away', { provider: 'oura', message: 'it answered 503' }));
  expect(line).toMatchObject({ message: 'a vendor is away', detail: 'it answered 503', provider: 'oura' });
});
