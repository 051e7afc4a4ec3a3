// Schemas of the console's own routes: colleagues and how they sign in.
import * as z from 'zod';
import { isMailAddress } from '../platform/mail-address.ts';
import { PersonName } from '../platform/person-name.ts';
import { Timestamp } from '../platform/time/time.ts';
import { ApiForm, ColleagueRole, Environment } from '../system/caller.ts';
import { AccountId, ColleagueId, ConsoleSessionId } from '../system/ids.ts';
import { SignInMethod } from './sign-in-method.ts';

const Email = z
  .string()
  .trim()
  .max(254)
  .refine(isMailAddress, 'must be an e-mail address, such as alex@example.com')
  .meta({ description: 'The e-mail address of the colleague.', examples: ['alex@example.com'] });

export const ColleagueName = PersonName.meta({ description: "The colleague's name.", examples: ['Alex Kim'] });

export const Colleague = z
  .object({
    id: ColleagueId,
    email: z.string().meta({ examples: ['alex@example.com'] }),
    name: z
      .string()
      .nullable()
      .meta({ examples: ['Alex Kim'] }),
    role: ColleagueRole,
    created_at: Timestamp,
    joined_at: Timestamp.nullable().meta({
      description: 'When the colleague first signed in; null for someone who was invited and has not come yet.',
      examples: ['2026-03-14T07:31:02.114Z'],
    }),
    passkeys: z.int().meta({ description: 'How many passkeys the colleague has.', examples: [1] }),
  })
  .meta({ id: 'Colleague', description: 'Someone who signs in to the console of the account.' });
export type Colleague = z.infer<typeof Colleague>;

export const NewColleague = z
  .strictObject({ email: Email, name: ColleagueName.nullable().optional(), role: ColleagueRole })
  .meta({ id: 'NewColleague', description: 'Whom to invite to the console.' });
export type NewColleague = z.infer<typeof NewColleague>;

export const ColleaguePatch = z
  .strictObject({ name: ColleagueName.nullable().optional(), role: ColleagueRole.optional() })
  .meta({ id: 'ColleaguePatch', description: 'Changes only the fields you send.' });
export type ColleaguePatch = z.infer<typeof ColleaguePatch>;

export const SignInLink = z
  .object({
    url: z.url().meta({
      description: 'Shown only once. Its button signs in whoever has the link.',
      examples: ['https://daybook.example.com/console/sign-in#q83vEjRWeJA0'],
    }),
    expires_at: Timestamp,
  })
  .meta({ id: 'SignInLink', description: 'A link that works once, for ten minutes.' });

export const InvitedColleague = z
  .object({
    colleague: Colleague,
    link: SignInLink.nullable().meta({
      description: 'The link to pass on, if this deployment sends no mail. Null if it was sent by mail.',
      examples: [null],
    }),
  })
  .meta({ id: 'InvitedColleague', description: 'The new colleague, and how the link reaches them.' });
export type InvitedColleague = z.infer<typeof InvitedColleague>;

export const SignInLinkRequest = z
  .strictObject({ email: Email })
  .meta({ id: 'SignInLinkRequest', description: 'The address to send a sign-in link to.' });

export const SignInSecret = z
  .strictObject({
    secret: z
      .string()
      .min(1)
      .max(200)
      .meta({ description: "The fragment of the link's URL.", examples: ['q83vEjRWeJA0'] }),
  })
  .meta({ id: 'SignInSecret', description: 'The secret of a sign-in link.' });

export const DescribedSignInLink = z
  .object({
    account: z.object({ id: AccountId, name: z.string().meta({ examples: ['Fit & Co'] }) }),
    email: z.string().meta({
      description: 'The address of the colleague whom the link signs in, without most of its name.',
      examples: ['a***@example.com'],
    }),
  })
  .meta({ id: 'DescribedSignInLink', description: 'Whose sign-in link it is.' });
export type DescribedSignInLink = z.infer<typeof DescribedSignInLink>;

export const ConsoleSession = z
  .object({
    id: ConsoleSessionId,
    colleague_id: ColleagueId,
    method: SignInMethod.meta({ description: 'What the colleague signed in with.', examples: ['link'] }),
    created_at: Timestamp,
    last_used_at: Timestamp,
    expires_at: Timestamp,
    is_current: z.boolean().meta({ description: 'Whether this request belongs to it.', examples: [true] }),
  })
  .meta({ id: 'ConsoleSession', description: 'A browser in which a colleague is signed in.' });
export type ConsoleSession = z.infer<typeof ConsoleSession>;

export const PasskeySupport = z
  .object({
    available: z.boolean().meta({ examples: [true] }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why passkeys cannot be used here; null if they can.', examples: [null] }),
  })
  .meta({ id: 'PasskeySupport', description: 'Whether passkeys can be used at this address.' });
export type PasskeySupport = z.infer<typeof PasskeySupport>;

const deploymentFacts = {
  mail: z.boolean().meta({ description: 'Whether this deployment sends mail.', examples: [true] }),
  deployment: z.enum(['local', 'aws']).meta({ examples: ['aws'] }),
};

export const SignInOptions = z
  .object({ passkeys: PasskeySupport, ...deploymentFacts })
  .meta({ id: 'SignInOptions', description: 'How a colleague can sign in here.' });

export const ConsoleProfile = z
  .object({
    colleague: z.object({
      id: ColleagueId,
      email: z.string().meta({ examples: ['alex@example.com'] }),
      name: z
        .string()
        .nullable()
        .meta({ examples: ['Alex Kim'] }),
      role: ColleagueRole,
    }),
    account: z.object({
      id: AccountId,
      name: z.string().meta({ examples: ['Fit & Co'] }),
      form: ApiForm.meta({ examples: [2] }),
      requests_per_second: z
        .int()
        .meta({ description: 'How many requests per second each API key may make.', examples: [100] }),
      burst: z
        .int()
        .meta({ description: 'How many requests an API key may make at once after a pause.', examples: [200] }),
    }),
    environments: z.array(Environment).meta({ examples: [['live', 'sandbox']] }),
    passkeys: PasskeySupport.extend({
      count: z.int().meta({ description: "How many of the colleague's passkeys work at this address.", examples: [1] }),
    }),
    ...deploymentFacts,
    recent_sign_in_until: Timestamp.meta({
      description: 'Until then the colleague may erase users, manage keys and invite others without signing in again.',
      examples: ['2026-03-14T07:36:53.589Z'],
    }),
    session: z.object({ id: ConsoleSessionId, created_at: Timestamp, expires_at: Timestamp }),
  })
  .meta({ id: 'ConsoleProfile', description: 'Who is signed in, and what this deployment offers.' });
export type ConsoleProfile = z.infer<typeof ConsoleProfile>;
