// The keys of the audit trail in the single table.
import type { Key } from '../platform/ports.ts';
import type { Environment } from './caller.ts';

export const auditKeys = {
  /** An entry of the audit trail, in the partition of its month. */
  auditEntry: (account: string, env: Environment, month: string, entry: string): Key => ({
    pk: `Y#${account}#${env}#${month}`,
    sk: entry,
  }),
  /** That a colleague has an entry for looking at a user in this hour. */
  auditLook: (account: string, env: Environment, colleague: string, hour: number, user: string): Key => ({
    pk: `Y#${account}#${env}#LOOKS#${colleague}`,
    sk: `${hour}#${user}`,
  }),
};
