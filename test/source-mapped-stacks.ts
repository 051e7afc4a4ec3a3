// Makes stacks of built functions name their sources in tests too. Node does this by default, but
// Vitest formats stacks itself and does not know files that it did not transform.
import { findSourceMap } from 'node:module';

const position = /(\/\S+\/\.cache\/functions\/\S+\.js):(\d+):(\d+)/g;
const patchedMarker = Symbol.for('daybook: stacks name sources');

const formatStack = Error.prepareStackTrace;
if (formatStack && !(patchedMarker in formatStack)) {
  const withSources: typeof formatStack = (error, frames) =>
    String(formatStack(error, frames)).replaceAll(position, sourceOf);
  Error.prepareStackTrace = Object.assign(withSources, { [patchedMarker]: true });
}

function sourceOf(frame: string, file: string, line: string, column: string): string {
  const origin = findSourceMap(file)?.findOrigin(Number(line), Number(column));
  return origin && 'fileName' in origin ? `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}` : frame;
}
