// The start screen: where the host is, which keys to use, and what to try next.
import { join, resolve } from 'node:path';
import { signInLinkMinutes } from '../../shared/console/sign-in-link.ts';
import type { DemoAccount } from './demo-account.ts';
import { isLoopbackUrl } from './local-request.ts';
import { mailboxPath } from './mailbox-page.ts';
import { defaultDataDir } from './running-hosts.ts';

const newUserJson = '{"external_ref": "ada", "timezone": "Europe/London"}';

export function renderStartScreen(demo: DemoAccount, dataDir: string, signInUrl: string): string {
  const { base_url: base } = demo;
  const daybook = `${renderDataSetting(dataDir)}npm run -s daybook --`;
  const authorization = `-H "authorization: Bearer $DAYBOOK_KEY"`;
  return [
    `ready ${base}`,
    '',
    `  console        ${signInUrl} (works once, for ${signInLinkMinutes} minutes; ${base}/console prints another here)`,
    `  demo charts    ${base}/docs/demo#${demo.sandbox_key}`,
    `  API reference  ${base}/docs`,
    `  mailbox        ${isLoopbackUrl(base) ? base + mailboxPath : join(dataDir, 'mail')} (mail is stored here, not sent)`,
    `  demo account   ${demo.account_id} (its keys are in ${demo.path})`,
    `  data           ${join(dataDir, '.')} (delete it to start over)`,
    ...demo.replaced.map(
      (env) => `  note           the ${env} key of the demo account was replaced; ${demo.path} still has the old one`,
    ),
    '',
    'Open the first link for the charts of a fictional person, or create a sandbox user in another terminal and read a week of data from a ring and a phone, which arrives within seconds:',
    '',
    `  eval "$(${daybook} env)"`,
    `  ADA=$(curl -s $DAYBOOK_URL/v1/users ${authorization} -H 'content-type: application/json' -d '${newUserJson}' | grep -o 'usr_[0-9a-z]*')`,
    '  npm run -s daybook -- users wait $ADA',
    ...['daily?types=steps,resting_heart_rate,asleep', 'sleep', 'scores', 'devices'].map(
      (read) => `  curl -s "$DAYBOOK_URL/v1/users/$ADA/${read}" ${authorization}`,
    ),
    '',
    `The live environment starts empty and connects to real providers: eval "$(${daybook} env --env live)". The data folder is not encrypted, so keep other people's data in a deployment (${base}/docs/security).`,
    'Press Ctrl-C to stop. Your data is saved.',
    '',
  ].join('\n');
}

/** Nothing for the folder that commands use by default. */
const renderDataSetting = (dataDir: string): string =>
  resolve(dataDir) === resolve(defaultDataDir) ? '' : `DAYBOOK_DATA=${quoteForShell(dataDir)} `;

export const quoteForShell = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
