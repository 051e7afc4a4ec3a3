// Whose life a person links on the consent page, as they have filled it in.
import { SandboxPersona } from '../../../shared/catalog/sandbox.ts';
import { isTimeZone } from '../../../shared/platform/time/time.ts';
import { accountOfLife } from '../../../shared/sandbox/provider-server/account.ts';

export interface ChosenLife {
  seed: string;
  persona?: string;
  timeZone?: string;
  /** By field. */
  mistakes?: Readonly<Record<string, string>>;
}

const seedShape = /^[0-9a-hjkmnp-tv-z]{26}$/;

export function chosenAccount(
  form: Readonly<Record<string, string>>,
): { account: string } | (ChosenLife & { mistakes: Readonly<Record<string, string>> }) {
  const { persona: given = '', time_zone: timeZone = '', account_number: number = '' } = form;
  const seed = number.trim().toLowerCase();
  const persona = SandboxPersona.safeParse(given).data;
  const mistakes = {
    ...(persona ? {} : { persona: 'Choose one of these people.' }),
    ...(isTimeZone(timeZone) ? {} : { time_zone: 'Enter a time zone such as Europe/Berlin or UTC.' }),
    ...(seedShape.test(seed)
      ? {}
      : { account_number: 'An account number has 26 letters and digits. Reload the page for a new one.' }),
  };
  if (!persona || Object.keys(mistakes).length > 0) return { seed, persona: given, timeZone, mistakes };
  return { account: accountOfLife({ userId: `usr_${seed}`, persona, timezone: timeZone }) };
}
