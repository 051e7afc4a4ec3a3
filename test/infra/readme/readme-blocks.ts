// The shell blocks of the README, in order, each with the JSON block that shows its output.
import { readFileSync } from 'node:fs';

export const repository = new URL('../../../', import.meta.url);

export interface ReadmeBlock {
  line: number;
  commands: string;
  /** The output as the README shows it. */
  output: string | undefined;
}

export function readBlocks(): ReadmeBlock[] {
  const text = readFileSync(new URL('README.md', repository), 'utf8');
  const fences = [...text.matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```$/gm)];
  return fences.flatMap(([, indent = '', language, content = ''], at) => {
    if (language !== 'sh') return [];
    const [fence, next] = [fences[at], fences[at + 1]];
    const isFollowed = next?.[2] === 'json' && next.index === (fence?.index ?? 0) + (fence?.[0].length ?? 0) + 1;
    return {
      line: text.slice(0, fence?.index).split('\n').length,
      commands: content.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      output: isFollowed ? next[3] : undefined,
    };
  });
}

/** The blocks that this machine does not run, by their first line, and why. */
export const skippedBlocks: Readonly<Record<string, string>> = {
  'npm ci && npm start': 'the test starts the host itself, on another port, from what npm ci has installed',
  "npx cdk bootstrap --app '' aws://ACCOUNT/REGION": 'needs an AWS account',
  'export DAYBOOK_TABLE=<TableName> DAYBOOK_SECRET_ID=<SecretId> DAYBOOK_PROVIDERS_SECRET_ID=<ProvidersSecretId>':
    'needs a deployment',
  'aws secretsmanager put-secret-value': 'needs a deployment',
  'npm run test:deployed': 'installs an emulator from the network; a step of .ci/run runs it',
  'aws sqs receive-message': 'needs a deployment',
};

export const findSkipReason = ({ commands }: ReadmeBlock): string | undefined =>
  Object.entries(skippedBlocks).find(([start]) => commands.startsWith(start))?.[1];
