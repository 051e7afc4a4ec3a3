// Signing in to the console of the demo account: every start prints a link, and so does every request
// for one on the sign-in page.
import { defaultSandboxDays } from '../../shared/catalog/sandbox.ts';
import { findOrCreateOwner } from '../../shared/console/colleagues.ts';
import { issueSignInLink } from '../../shared/console/sign-in-link.ts';
import type { MailMessage } from '../../shared/platform/ports.ts';
import type { Deps } from '../../shared/system/deps.ts';
import type { DemoFile } from './demo-account.ts';

export const demoEmail = 'demo@daybook.local';

/** The link is for the address that the service is reached at, which may be a tunnel's. */
export async function issueDemoSignInLink(
  deps: Deps,
  { account_id, base_url }: Pick<DemoFile, 'account_id' | 'base_url'>,
): Promise<string> {
  const { colleague } = await findOrCreateOwner(deps, account_id, demoEmail);
  return (await issueSignInLink(deps, colleague, deps.deployment.baseUrl ?? base_url)).url;
}

/** The console opens the person's week after signing in. */
export function openOnPerson(signInUrl: string, userId: string): string {
  const url = new URL(signInUrl);
  const page = `/console/people/${userId}?env=sandbox&days=${defaultSandboxDays}`;
  // Only what would end the parameter is escaped: people read and copy this link.
  url.search = `next=${page.replaceAll('&', '%26')}`;
  return url.href;
}

/** Mail stays on this machine, so its sign-in links are shown where someone waits for them. */
export function printSignInLinks({ to, text }: Pick<MailMessage, 'to' | 'text'>): void {
  for (const [url] of text.matchAll(/https?:\/\/\S+\/console\/sign-in#[\w-]+/g))
    process.stdout.write(`sign-in link for ${to}: ${url}\n`);
}
