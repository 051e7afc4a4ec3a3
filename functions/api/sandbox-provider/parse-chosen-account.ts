// Parses the consent page's form: which simulated account the user links.
import { SandboxPersona, simulatedFailures } from '../../../shared/catalog/sandbox.ts';
import { isTimeZone } from '../../../shared/platform/time/time.ts';
import { toSandboxAccount } from '../../../shared/sandbox/provider-server/account.ts';

export interface ChosenProfile {
  seed: string;
  persona?: string;
  timeZone?: string;
  behavior?: string;
  /** Messages by field. */
  errors?: Readonly<Record<string, string>>;
}

/** Begins with a time, as an id does: with a first digit of 7 it may be after the year 9999. */
const seedPattern = /^[0-6][0-9a-hjkmnp-tv-z]{25}$/;

export function parseChosenAccount(
  form: Readonly<Record<string, string>>,
): { account: string } | (ChosenProfile & { errors: Readonly<Record<string, string>> }) {
  const { persona: personaText = '', time_zone: timeZone = '', account_number: number = '', behavior = '' } = form;
  const seed = number.trim().toLowerCase();
  const persona = SandboxPersona.safeParse(personaText).data;
  const failure = simulatedFailures.find((each) => each === behavior);
  const errors = {
    ...(persona ? {} : { persona: 'Choose one of these people.' }),
    ...(isTimeZone(timeZone) ? {} : { time_zone: 'Enter a time zone such as Europe/Berlin or UTC.' }),
    ...(behavior === '' || failure ? {} : { behavior: 'Choose one of these behaviors.' }),
    ...(seedPattern.test(seed)
      ? {}
      : {
          account_number:
            'An account number has 26 letters and digits, the first from 0 to 6. Reload the page to get a new one.',
        }),
  };
  if (!persona || Object.keys(errors).length > 0) return { seed, persona: personaText, timeZone, behavior, errors };
  return { account: toSandboxAccount({ userId: `usr_${seed}`, persona, timezone: timeZone }, failure) };
}
