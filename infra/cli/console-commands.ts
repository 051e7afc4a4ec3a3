// The commands about the console: they let someone in without mail and without another owner, and
// take access away.

import { accountRows } from '../../shared/accounts/account-rows.ts';
import { colleagueRows } from '../../shared/console/colleague-rows.ts';
import {
  endColleagueAccess,
  findOrCreateOwner,
  hashColleagueEmail,
  listColleagues,
  removeColleague,
} from '../../shared/console/colleagues.ts';
import { issueSignInLink, signInLinkMinutes } from '../../shared/console/sign-in-link.ts';
import { isMailAddress } from '../../shared/platform/mail-address.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { Failure } from '../../shared/system/failure.ts';
import { parseOrigin } from '../parse-origin.ts';
import { type CliCommand, requireArgument, UsageError } from './command.ts';
import { recordCommand } from './record-command.ts';
import { renderRow } from './terminal-text.ts';

export const consoleCommands: Record<string, CliCommand> = {
  'console link': {
    usage: '--account ACCOUNT --email ADDRESS [--base URL]',
    summary: `print a link that signs in to the console once, within ${signInLinkMinutes} minutes. Someone whom the account does not know becomes an owner. On AWS, --base is the URL of the deployment`,
    prepare(args) {
      const account = requireArgument(args.account, '--account');
      const email = parseEmail(args.email);
      const base = args.base === undefined ? undefined : parseBase(args.base);
      return async (deps) => {
        const origin = base ?? deps.deployment.baseUrl;
        if (origin === undefined)
          throw new UsageError(
            '--base is required on AWS: the URL of the deployment, such as https://daybook.example.com.',
          );
        const { colleague, isNew, link } = await recordCommand(
          deps,
          { account, action: 'colleague.link_created' },
          async () => {
            const owner = await findOrCreateOwner(deps, account, email);
            return { ...owner, link: await issueSignInLink(deps, owner.colleague, origin) };
          },
          ({ colleague: { id } }) => [id],
        );
        const { id, role } = colleague;
        return {
          json: { ...link, colleague_id: id, role, is_new: isNew },
          text: [
            link.url,
            ...(isNew
              ? [`${email} is now an owner of ${account}.`]
              : [`${email} is a colleague with the role ${role}.`]),
            `The link works once, until ${link.expires_at}.`,
          ].join('\n'),
        };
      };
    },
  },
  'console colleagues': {
    usage: '--account ACCOUNT',
    summary: 'list who can sign in to the console of an account, with their roles and passkeys',
    prepare(args) {
      const account = requireArgument(args.account, '--account');
      return async (deps) => {
        await assertAccount(deps, account);
        const colleagues = await listColleagues(deps, { account });
        return {
          json: { colleagues },
          text:
            colleagues
              .map(({ id, email, role, joined_at, passkeys }) =>
                renderRow(id, email, role, joined_at ?? 'invited', `${passkeys} passkeys`),
              )
              .join('\n') || 'No colleagues.',
        };
      };
    },
  },
  'console remove': {
    usage: '--account ACCOUNT --email ADDRESS',
    summary: 'remove a colleague, whose sessions and passkeys end at once. The last owner cannot be removed',
    prepare(args) {
      const account = requireArgument(args.account, '--account');
      const email = parseEmail(args.email);
      return async (deps) => {
        const id = await recordCommand(
          deps,
          { account, action: 'colleague.removed' },
          async () => {
            const known = await colleagueRows(deps.store).findByAddress(account, hashColleagueEmail(deps, email));
            if (!known) throw new Failure('not_found', `No colleague of ${account} has the address ${email}.`);
            await removeColleague(deps, { account }, known.id);
            return known.id;
          },
          (removed) => [removed],
        );
        return { json: { colleague_id: id }, text: `${email} can no longer use the console of ${account}.` };
      };
    },
  },
  'console reset': {
    usage: '--account ACCOUNT | --all',
    summary:
      'end all sessions, passkeys and sign-in links of an account, or of every account, for example after a restore. Colleagues stay, and sign in with a new link',
    prepare(args) {
      if ((args.account === undefined) === !args.all) throw new UsageError('Pass either --account or --all.');
      const chosen = args.all ? undefined : requireArgument(args.account, '--account');
      return async (deps) => {
        const accounts =
          chosen === undefined ? (await accountRows(deps.store).listAll()).map(({ id }) => id) : [chosen];
        const results: { account_id: string; colleagues: number }[] = [];
        for (const account of accounts) {
          const ids = await recordCommand(
            deps,
            { account, action: 'colleague.access_reset' },
            async () => {
              const colleagues = await listColleagues(deps, { account });
              for (const { id } of colleagues) await endColleagueAccess(deps, account, id);
              return colleagues.map(({ id }) => id);
            },
            (reset) => reset,
          );
          results.push({ account_id: account, colleagues: ids.length });
        }
        return {
          json: { accounts: results },
          text: results
            .map(({ account_id, colleagues }) => `${account_id}  ${colleagues} colleagues have to sign in again`)
            .join('\n'),
        };
      };
    },
  },
};

async function assertAccount(deps: Deps, account: string): Promise<void> {
  if (!(await accountRows(deps.store).findById(account)))
    throw new Failure('not_found', `Account ${account} not found.`);
}

function parseEmail(text: string | undefined): string {
  const email = requireArgument(text, '--email').trim();
  if (!isMailAddress(email)) throw new UsageError('--email must be an e-mail address, such as alex@example.com.');
  return email;
}

function parseBase(text: string): string {
  const origin = parseOrigin(text);
  if (origin === undefined)
    throw new UsageError('--base must be a URL without a path, such as https://daybook.example.com.');
  return origin;
}
