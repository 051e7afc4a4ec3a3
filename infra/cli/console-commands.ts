// The command that lets someone sign in to the console without mail and without another owner.
import { findOrCreateOwner } from '../../shared/console/colleagues.ts';
import { issueSignInLink, signInLinkMinutes } from '../../shared/console/sign-in-link.ts';
import { isMailAddress } from '../../shared/platform/mail-address.ts';
import { type CliCommand, requireArgument, UsageError } from './command.ts';
import { recordCommand } from './record-command.ts';

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
};

function parseEmail(text: string | undefined): string {
  const email = requireArgument(text, '--email').trim();
  if (!isMailAddress(email)) throw new UsageError('--email must be an e-mail address, such as alex@example.com.');
  return email;
}

function parseBase(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash)
    throw new UsageError('--base must be a URL without a path, such as https://daybook.example.com.');
  return url.origin;
}
