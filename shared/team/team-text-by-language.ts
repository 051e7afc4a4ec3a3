// The texts about joining a team in each language, and the format of the deadline in them.
import type { Language } from '../platform/language.ts';
import type { TeamText } from './team-text.ts';
import { germanTeamText } from './text-de.ts';
import { englishTeamText } from './text-en.ts';
import { spanishTeamText } from './text-es.ts';
import { frenchTeamText } from './text-fr.ts';

export const teamTextByLanguage: Readonly<Record<Language, TeamText>> = {
  en: englishTeamText,
  de: germanTeamText,
  fr: frenchTeamText,
  es: spanishTeamText,
};

/** Includes the time of day, because a day does not end everywhere at once. */
export const formatJoinDeadline = ({ locale, instant, deadline }: TeamText, ms: number): string =>
  deadline(
    instant(
      new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(ms),
      new Date(ms).toISOString().slice(11, 16),
    ),
  );
