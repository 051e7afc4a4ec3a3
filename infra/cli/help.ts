// Renders the output of --help.
import { commands } from './commands.ts';

export function renderHelp(noun: string | undefined): string {
  const matching = Object.entries(commands).filter(([name]) => noun === undefined || name.startsWith(`${noun} `));
  const lines = (matching.length > 0 ? matching : Object.entries(commands)).map(
    ([name, command]) => `  ${`${name} ${command.usage}`.padEnd(50)} ${command.summary}`,
  );
  return [
    'Usage: npm run -s daybook -- <command> [options]',
    '',
    ...lines,
    `  ${'doctor'.padEnd(50)} check this machine and report what is missing`,
    '',
    'Options',
    `  ${'--json'.padEnd(50)} print one JSON object instead of text`,
    `  ${'-h, --help'.padEnd(50)} print this help`,
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
