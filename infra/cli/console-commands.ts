// The commands about the console: they let someone in without mail and without another owner, and
// take access away.

import { accountRows } from '../../shared/accounts/account-rows.ts';
import { colleagueRows } from '../../shared/console/colleague-rows.ts';
import { findOrCreateOwner, hashColleagueEmail, listColleagues } from '../../shared/console/colleagues.ts';
import { issueSignInLink, signInLinkMinutes } from '../../shared/console/sign-in-link.ts';
import { endAccessAndCredentials, removeColleagueAndEndCredentials } from '../../shared/credentials/end-colleague.ts';
import type { MadeCredentials } from '../../shared/credentials/made-credentials.ts';
import { isMailAddress } from '../../shared/platform/mail-address.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { Failure } from '../../shared/system/failure.ts';
import { parseOrigin } from '../parse-origin.ts';
import { type CliCommand, requireArgument, UsageError } from './command.ts';
import { commandLine, recordCommand } from './record-command.ts';
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
    usage: '--account ACCOUNT --email ADDRESS [--keep-credentials]',
    summary:
      'remove a colleague, whose sessions and passkeys end at once, and with them the user tokens, mobile tokens and SDK sessions that they made, unless --keep-credentials is set. The last owner cannot be removed',
    prepare(args) {
      const account = requireArgument(args.account, '--account');
      const email = parseEmail(args.email);
      return async (deps) => {
        const fate = args['keep-credentials'] ? 'keep' : 'end';
        const { id, made } = await recordCommand(
          deps,
          { account, action: 'colleague.removed' },
          async () => {
            const known = await colleagueRows(deps.store).findByAddress(account, hashColleagueEmail(deps, email));
            if (!known) throw new Failure('not_found', `No colleague of ${account} has the address ${email}.`);
            const by = { account, actor: commandLine };
            return { id: known.id, made: await removeColleagueAndEndCredentials(deps, by, known.id, fate) };
          },
          (removed) => [removed.id],
        );
        return {
          json: { colleague_id: id, ended: made.credentials, to_rotate: made.to_rotate },
          text: [`${email} can no longer use the console of ${account}.`, ...renderMade(made)].join('\n'),
        };
      };
    },
  },
  'console reset': {
    usage: '--account ACCOUNT | --all [--keep-credentials]',
    summary:
      'end all sessions, passkeys and sign-in links of an account, or of every account, for example after a restore. The connect links that colleagues made end, too, and so do their user tokens, mobile tokens and SDK sessions unless --keep-credentials is set. Colleagues stay, and sign in with a new link',
    prepare(args) {
      if ((args.account === undefined) === !args.all) throw new UsageError('Pass either --account or --all.');
      const chosen = args.all ? undefined : requireArgument(args.account, '--account');
      return async (deps) => {
        const accounts =
          chosen === undefined ? (await accountRows(deps.store).listAll()).map(({ id }) => id) : [chosen];
        const fate = args['keep-credentials'] ? 'keep' : 'end';
        const results: { account_id: string; colleagues: number; made: MadeCredentials }[] = [];
        for (const account of accounts) {
          const reset = await recordCommand(
            deps,
            { account, action: 'colleague.access_reset' },
            async () => {
              const colleagues = await listColleagues(deps, { account });
              const by = { account, actor: commandLine };
              const made: MadeCredentials[] = [];
              for (const { id } of colleagues) made.push(await endAccessAndCredentials(deps, by, id, fate));
              return { ids: colleagues.map(({ id }) => id), made };
            },
            ({ ids }) => ids,
          );
          const credentials = reset.made.flatMap((each) => each.credentials);
          const to_rotate = reset.made.flatMap((each) => each.to_rotate);
          results.push({ account_id: account, colleagues: reset.ids.length, made: { credentials, to_rotate } });
        }
        return {
          json: {
            accounts: results.map(({ account_id, colleagues, made }) => ({
              account_id,
              colleagues,
              ended: made.credentials,
              to_rotate: made.to_rotate,
            })),
          },
          text: results
            .flatMap(({ account_id, colleagues, made }) => [
              `${account_id}  ${colleagues} colleagues have to sign in again`,
              ...renderMade(made),
            ])
            .join('\n'),
        };
      };
    },
  },
};

const renderMade = ({ credentials, to_rotate }: MadeCredentials): string[] => [
  ...credentials.map(({ kind, environment, count }) => renderRow('ended', environment, kind, String(count))),
  ...to_rotate.map(({ kind, environment, id }) => renderRow('rotate', environment, kind, id)),
];

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
