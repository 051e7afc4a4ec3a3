// Renders the output of --help.
import { commands } from './commands.ts';

const usageColumns = 50;

export function renderHelp(noun: string | undefined): string {
  const matching = Object.entries(commands).filter(([name]) => noun === undefined || `${name} `.startsWith(`${noun} `));
  const lines = (matching.length > 0 ? matching : Object.entries(commands)).map(([name, command]) =>
    renderLine(`${name} ${command.usage}`, command.summary),
  );
  return [
    'Usage: npm run -s daybook -- <command> [options]',
    '',
    ...lines,
    renderLine('doctor', 'check this machine and report what is missing'),
    '',
    'Options',
    renderLine('--json', 'print one JSON object instead of text'),
    renderLine('-h, --help', 'print this help'),
    '',
    'Which deployment',
    '  On this machine: the service that npm start runs from this checkout, or the data folder in DAYBOOK_DATA. If no',
    '  service is running, the data folder .daybook; npm start does not have to be running. The first line on stderr says',
    '  which data a command uses.',
    '  With DAYBOOK_TABLE, npm start must have created that table.',
    '  On AWS or an emulator: set DAYBOOK_TABLE and DAYBOOK_SECRET_ID, for the providers commands also',
    '  DAYBOOK_PROVIDERS_SECRET_ID (npm run deploy prints them as TableName, SecretId and ProvidersSecretId),',
    '  and the usual AWS settings (AWS_REGION, credentials, AWS_ENDPOINT_URL for an emulator).',
    '',
  ].join('\n');
}

/** What to print after a usage error: the usage of the command, or of its noun's commands. */
export function renderUsage([noun = '', verb = '']: readonly string[]): string {
  const called = `${noun} ${verb}`;
  const matching = Object.entries(commands).filter(([name]) =>
    called in commands ? name === called : `${name} `.startsWith(`${noun} `),
  );
  const usages = matching.map(([name, { usage }]) => `${name} ${usage}`.trimEnd());
  return [
    ...(usages.length > 0 ? usages : ['<command> [options]']).map((usage) => `Usage: npm run -s daybook -- ${usage}`),
    'See --help.',
    '',
  ].join('\n');
}

/** A usage that is too long for its column has its summary on the next line. */
function renderLine(usage: string, summary: string): string {
  const isLong = usage.length > usageColumns;
  return `  ${isLong ? `${usage}\n  ${' '.repeat(usageColumns)}` : usage.padEnd(usageColumns)} ${summary}`;
}
