// A team that sends invitations, on an in-memory table. It records sent mail, can make mail fail,
// and can crash a worker in the middle of a send.
import { createAccount } from '../../shared/accounts/accounts.ts';
import type { MailMessage } from '../../shared/platform/ports.ts';
import type { Caller } from '../../shared/system/caller.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { getInvitation } from '../../shared/team/invitations.ts';
import { inviteMember } from '../../shared/team/invite-member.ts';
import { sendInvitation } from '../../shared/team/send-invitation.ts';
import type { EmailStatus } from '../../shared/team/team.ts';
import { type MemoryDeps, memoryDeps } from './memory-deps.ts';

export const origin = 'https://api.example.com';

/** Set for the current test by `newMailWorld`. */
export let memory: MemoryDeps;
export let deps: Deps;
export let caller: Caller;
export let sent: MailMessage[];
export let mail: {
  error: Error | undefined;
  tries: number;
  /** The worker crashes before mail responds. */
  crashes: boolean;
};

export async function newMailWorld(): Promise<void> {
  memory = memoryDeps();
  sent = [];
  mail = { error: undefined, tries: 0, crashes: false };
  const send = async (message: MailMessage) => {
    mail.tries++;
    if (mail.crashes) await new Promise(() => {});
    if (mail.error) throw mail.error;
    sent.push(message);
  };
  deps = { ...memory.deps, deployment: { kind: 'local', mailSender: 'team@example.com' }, mail: { send } };
  const { account_id } = await createAccount(deps, { name: 'The Lab' });
  caller = { kind: 'api_key', account: account_id, env: 'live', form: 2 };
}

/** Simulates a deployment whose mail sender was removed. */
export function removeSender(): void {
  deps = { ...deps, deployment: { kind: 'local' } };
}

export const invite = (more = {}) => inviteMember(deps, caller, { email: 'Alex@example.com', ...more }, origin);
export const deliver = (invitation_id: string) =>
  sendInvitation(deps, { account_id: caller.account, env: 'live', invitation_id });
export const readEmailStatus = async (id: string): Promise<EmailStatus> =>
  (await getInvitation(deps, caller, id)).email_status;
export const tokenIn = ({ text }: MailMessage): string => /\/join\/([\w-]+)/.exec(text)?.[1] ?? '';

export const throwNotSent = (): never => {
  throw new Error('no mail was sent');
};
