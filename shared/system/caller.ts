// The caller of a request as every module sees it: the account and environment it acts for.
import * as z from 'zod';
import type { Maker } from './maker.ts';

export const Environment = z.enum(['live', 'sandbox']);
export type Environment = z.infer<typeof Environment>;

/** The form of the contract that an account's keys get: 1 or 2. */
export const ApiForm = z.union([z.literal(1), z.literal(2)]);
export type ApiForm = z.infer<typeof ApiForm>;

/** What a colleague may do in the console. */
export const ColleagueRole = z.enum(['owner', 'developer', 'support']).meta({
  id: 'ColleagueRole',
  description:
    '`owner`: everything. `developer`: everything but colleagues and live keys. `support`: the state of devices, syncs and deliveries, without health values, profiles or tokens; it may request a sync.',
  examples: ['developer'],
});
export type ColleagueRole = z.infer<typeof ColleagueRole>;

/**
 * Who acts, as the audit trail names them: a key by its id and never by its secret, a colleague also
 * by the e-mail address of that time, a person on the page of a connect link by the link and by who
 * made it. The command line has no name: the name of a shell account is
 * whatever the machine says, and on AWS CloudTrail records who called the table, which can be
 * trusted.
 */
export type Actor =
  | { kind: 'api_key'; id: string }
  | { kind: 'colleague'; id: string; email: string }
  | { kind: 'connect_link'; id: string; maker: string | null }
  | { kind: 'command_line' }
  | { kind: 'system' };

/**
 * Domain modules see only this much of a caller; admission defines which kinds of callers exist.
 */
export interface Caller {
  kind: string;
  account: string;
  env: Environment;
  form: ApiForm;
  /** The role of a colleague. Other callers may see everything that their endpoints return. */
  role?: ColleagueRole;
  /** Who makes what this caller hands out, if it is a colleague. */
  maker?: Maker;
}

/** Whether responses to this caller may contain health values, profiles, tokens and received data. */
export const canSeeValues = ({ role }: Pick<Caller, 'role'>): boolean => role !== 'support';

/** A caller that connects devices; `keyHash` is null if the caller has no API key. */
export interface LinkingCaller extends Caller {
  keyHash: string | null;
}
