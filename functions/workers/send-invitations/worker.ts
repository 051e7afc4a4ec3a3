import type { Deps } from '../../../shared/domain/deps.ts';
import { sendInvitation } from '../../../shared/domain/team/send-invitation.ts';
import type { Job } from '../../../shared/model/jobs.ts';

export const sendInvitationsWorker =
  (deps: Deps) =>
  async (job: Job<'mail'>): Promise<void> =>
    sendInvitation(deps, job);
