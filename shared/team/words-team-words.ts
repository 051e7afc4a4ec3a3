// The words about joining a team in each language, and how an instant is written in them.
import type { Language } from '../platform/language.ts';
import { joiningInGerman } from './words-de.ts';
import { joiningInEnglish } from './words-en.ts';
import { joiningInSpanish } from './words-es.ts';
import { joiningInFrench } from './words-fr.ts';
import type { TeamWords } from './words-words.ts';

export const teamWordsIn: Readonly<Record<Language, TeamWords>> = {
  en: joiningInEnglish,
  de: joiningInGerman,
  fr: joiningInFrench,
  es: joiningInSpanish,
};

/** With the clock time, because the day is not over everywhere at once. */
export const joinDeadline = ({ locale, instant, deadline }: TeamWords, ms: number): string =>
  deadline(
    instant(
      new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(ms),
      new Date(ms).toISOString().slice(11, 16),
    ),
  );
