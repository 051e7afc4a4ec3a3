// How many sign-in links a mailbox gets in an hour. Only what is sent counts, so requests for addresses
// that nobody has use nothing up. Nobody can keep a colleague from signing in: networks in which the
// colleague signed in have allowances of their own, and elsewhere a link is refused only while an earlier
// one, which is in the same mailbox, still works.
import { writeConditionally } from '../platform/conditional-write.ts';
import { normalizeEmail, toMailbox } from '../platform/mail-address.ts';
import { consoleKeys } from '../system/console-keys.ts';
import type { Deps } from '../system/deps.ts';
import type { ColleagueRow } from './colleague-rows.ts';
import { toAttributeName } from './known-networks.ts';
import { signInLinkMinutes } from './sign-in-link.ts';
import type { SignInRequestRow, TakenAllowance } from './sign-in-request-rows.ts';

/**
 * `fromOneSource`: requested from one network, or by one account that invites. `fromOthers`: requested
 * from all networks together in which the colleague never signed in. More follow one at a time.
 */
export const maxLinksPerHour = { fromOneSource: 5, fromOthers: 14 } as const;
const hourMs = 3_600_000;

/** What a message to these colleagues, who have one address, would take. */
export const planMailAllowance = (
  deps: Deps,
  { sourceHash, invitedTo }: SignInRequestRow,
  colleagues: readonly [ColleagueRow, ...ColleagueRow[]],
): TakenAllowance => ({
  mailboxHash: deps.keyring.hash('colleague-mailbox', toMailbox(normalizeEmail(colleagues[0].email))),
  hour: Math.floor(deps.clock.now() / hourMs),
  isKnown: sourceHash !== null && colleagues.some(({ networks }) => networks.includes(sourceHash)),
  // An invitation has a link to one account only, and someone who never came has no sign-in to lose.
  hasJoined: invitedTo === null && colleagues.some(({ joinedMs }) => joinedMs !== null),
});

/** Returns false if nothing may be sent to the mailbox now. */
export async function takeMailAllowance(
  { store, clock }: Deps,
  request: RequestNames,
  { mailboxHash, hour, isKnown, hasJoined }: TakenAllowance,
): Promise<boolean> {
  const nowMs = clock.now();
  const [source, sent] = namesOf(request);
  const isWithinSource = `(attribute_not_exists(${source}) OR ${source} < :maxOfSource)`;
  const isWithinOthers = '(attribute_not_exists(#others) OR #others < :maxOfOthers)';
  const isWithin = isKnown ? isWithinSource : `(${isWithinSource} AND ${isWithinOthers})`;
  const { applied } = await writeConditionally(store.table, {
    kind: 'update',
    key: consoleKeys.signInMailCount(mailboxHash, hour),
    update: [
      `SET ${source} = if_not_exists(${source}, :none) + :one`,
      '#others = if_not_exists(#others, :none) + :ofOthers',
      ...(hasJoined ? [`${sent} = :now`] : []),
      '#ttl = :ttl',
    ].join(', '),
    condition: hasJoined ? `${isWithin} OR attribute_not_exists(${sent}) OR ${sent} <= :expired` : isWithin,
    values: {
      ...{ none: 0, one: 1, ofOthers: isKnown ? 0 : 1 },
      maxOfSource: maxLinksPerHour.fromOneSource,
      ...(isKnown ? {} : { maxOfOthers: maxLinksPerHour.fromOthers }),
      ...(hasJoined ? { now: nowMs, expired: nowMs - signInLinkMinutes * 60_000 } : {}),
      ttl: Math.ceil((nowMs + 2 * hourMs) / 1000),
    },
  });
  return applied;
}

/** Gives back what was taken for a message that will not be sent. */
export async function releaseMailAllowance(
  { store }: Deps,
  request: RequestNames,
  { mailboxHash, hour, isKnown }: TakenAllowance,
): Promise<void> {
  const [source, sent] = namesOf(request);
  await writeConditionally(store.table, {
    kind: 'update',
    key: consoleKeys.signInMailCount(mailboxHash, hour),
    update: `SET ${source} = ${source} - :one, #others = #others - :ofOthers REMOVE ${sent}`,
    condition: `${source} > :none`,
    values: { none: 0, one: 1, ofOthers: isKnown ? 0 : 1 },
  });
}

type RequestNames = Pick<SignInRequestRow, 'sourceHash' | 'emailHash'>;

const namesOf = ({ sourceHash, emailHash }: RequestNames) =>
  [`#from_${sourceHash ?? 'unknown'}`, `#sent_${toAttributeName(emailHash)}`] as const;
