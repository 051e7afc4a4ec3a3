// Stacks of built functions name their sources in tests too. Node does so by itself, but vitest writes stacks in its own
// way, which knows nothing of files that it did not transform.
import { findSourceMap } from 'node:module';

const position = /(\/\S+\/\.cache\/functions\/\S+\.js):(\d+):(\d+)/g;
const marked = Symbol.for('daybook: stacks name sources');

const write = Error.prepareStackTrace;
if (write && !(marked in write)) {
  const withSources: typeof write = (error, frames) => String(write(error, frames)).replaceAll(position, sourceOf);
  Error.prepareStackTrace = Object.assign(withSources, { [marked]: true });
}

function sourceOf(written: string, file: string, line: string, column: string): string {
  const origin = findSourceMap(file)?.findOrigin(Number(line), Number(column));
  return origin && 'fileName' in origin ? `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}` : written;
}
