import { sendSignInLink } from '../../shared/console/send-sign-in-link.ts';
import type { Deps } from '../../shared/system/deps.ts';
import type { Job } from '../../shared/system/jobs.ts';
import { sendInvitation } from '../../shared/team/send-invitation.ts';
import { onQueue } from '../runtime/on-queue.ts';

export const sendInvitationsWorker =
  (deps: Deps) =>
  async (job: Job<'mail'>): Promise<void> =>
    'sign_in_request_id' in job ? sendSignInLink(deps, job) : sendInvitation(deps, job);

export const handler = onQueue('mail', sendInvitationsWorker);
