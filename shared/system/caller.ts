// The caller of a request, as every room sees it: which account and environment it acts for.
import * as z from 'zod';

export const Environment = z.enum(['live', 'sandbox']);
export type Environment = z.infer<typeof Environment>;

/** The form of the contract that an account's keys are served: 1 or 2. */
export const ApiForm = z.union([z.literal(1), z.literal(2)]);
export type ApiForm = z.infer<typeof ApiForm>;

/** Rooms see only this much of a caller; which kinds of caller there are is up to admission. */
export interface Caller {
  kind: string;
  account: string;
  env: Environment;
  form: ApiForm;
}

/** A caller that creates links; `keyHash` is null where no API key stands behind it. */
export interface LinkingCaller extends Caller {
  keyHash: string | null;
}
