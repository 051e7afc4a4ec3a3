// The texts about joining a team, in the e-mail and on the page behind its link, for translation
// into every language. Names are passed in ready to be shown.
import type { JoinProblem } from './accept-invitation.ts';

export interface JoinText {
  heading: string;
  text: string;
}

/**
 * Texts that both use exist only once, so that nobody consents to one text and is shown another.
 */
export interface TeamText {
  /** The locale for formatting dates. */
  locale: string;
  /** Combines a date and a time in UTC into one expression. */
  instant(date: string, time: string): string;
  /** What joining means: who can read what. */
  meaning(team: string): string;
  /** How to leave, and what that does and does not do. */
  leaving: string;
  /** The label of the button. */
  action: string;
  /** Until when the link works. */
  deadline(instant: string): string;
  mail: {
    subject(team: string): string;
    greeting(name: string | undefined): string;
    /** What this is and who sends it. */
    lead(team: string): string;
    /** Introduces the link in plain text, where there is no button. */
    linkHere: string;
    /** Introduces the link below the button. */
    linkBelow: string;
    goodOnce: string;
    ignore: string;
  };
  page: {
    heading(team: string): string;
    /** Says who invites. */
    lead(team: string): string;
    /** The name, if there is one, and the address. */
    forWhom(whom: string): string;
    ignore: string;
    joined(team: string): JoinText;
    /** Replaces the text above when there is a link to choose wearables. */
    wearables: {
      text: string;
      action: string;
      /** For how long the link works. */
      deadline: string;
    };
    /** `team` is undefined when it is no longer known. */
    problems: Readonly<Record<JoinProblem, (team: string | undefined) => JoinText>>;
  };
}
