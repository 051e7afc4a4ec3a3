// Describes an error without its message, which may quote the data that caused the error: a health
// value, a name or a token. Logs and everything else that operators read must not contain them.

export interface ErrorOutline {
  name: string;
  /** The code of an error of Node, such as Z_DATA_ERROR. */
  code?: string;
  /** The lines of the stack below the message: functions and files. */
  frames: string[];
  cause?: ErrorOutline;
}

export function outlineError(error: unknown): ErrorOutline {
  if (!(error instanceof Error)) return { name: typeof error, frames: [] };
  const code = 'code' in error && typeof error.code === 'string' && /^[A-Z_]{1,40}$/.test(error.code);
  return {
    name: error.name,
    ...(code ? { code: String(error.code) } : {}),
    frames: readFrames(error),
    ...(error.cause === undefined ? {} : { cause: outlineError(error.cause) }),
  };
}

/** Parsers and range checks quote the value that they reject. */
const quotingErrors: ReadonlySet<string> = new Set(['SyntaxError', 'RangeError', 'ZodError', '$ZodError']);

export const quotesData = ({ name }: Error): boolean => quotingErrors.has(name);

/** The message of an error, or only its name if the message may quote data. */
export function readSafeMessage(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return quotesData(error) ? error.name : error.message;
}

/** Empty if the stack does not begin with the message, because the message could not be removed. */
function readFrames(error: Error): string[] {
  const heading = `${String(error)}\n`;
  if (!error.stack?.startsWith(heading)) return [];
  return error.stack
    .slice(heading.length)
    .split('\n')
    .map((line) => line.trim());
}
