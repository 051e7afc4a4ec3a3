// The user a caller asks about, with all that one Query of its head tells. A foreign user and a missing one are the same thing here.
import type { Item } from '../platform/ports.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { UserId } from '../system/ids.ts';
import { mustShare } from './sharing.ts';
import { type Subject, subjectEvenUnshared, subjectWithOpenSamples } from './subject.ts';
import { mustOwn } from './users.ts';

/** Throws `sharing_revoked` while the person shares nothing. */
export async function ownSubject(deps: Deps, caller: Caller, userId: string): Promise<Subject> {
  const subject = await ownSubjectEvenUnshared(deps, caller, userId);
  mustShare(subject.user);
  return subject;
}

/** For calls that tell no health value and take none in. */
export async function ownSubjectEvenUnshared(deps: Deps, caller: Caller, userId: string): Promise<Subject> {
  const subject = UserId.safeParse(userId).success ? await subjectEvenUnshared(deps, userId) : undefined;
  return ownOf(caller, userId, subject);
}

/** Like `ownSubject`, with the items of the open samples. */
export async function ownSubjectWithOpenSamples(
  deps: Deps,
  caller: Caller,
  userId: string,
): Promise<{ subject: Subject; items: readonly Item[] }> {
  const found = UserId.safeParse(userId).success ? await subjectWithOpenSamples(deps, userId) : undefined;
  const subject = ownOf(caller, userId, found?.subject);
  mustShare(subject.user);
  return { subject, items: found?.items ?? [] };
}

function ownOf(caller: Caller, userId: string, subject: Subject | undefined): Subject {
  mustOwn(caller, userId, subject?.user);
  if (!subject) throw new Error('the user has no head row');
  return subject;
}
