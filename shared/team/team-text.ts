// What people are told about joining a team, by mail and on the page behind its link, to be said in every language. Names arrive ready to be shown.
import type { JoinProblem } from './accept-invitation.ts';

export interface JoinText {
  heading: string;
  text: string;
}

/** What both say stands once, so that nobody consents to one text and is shown another. */
export interface TeamText {
  /** How dates are written. */
  locale: string;
  /** A date and a clock time in UTC as one expression. */
  instant(date: string, time: string): string;
  /** What joining means: who can read what. */
  meaning(team: string): string;
  /** How to leave, and what that does and does not do. */
  leaving: string;
  /** On the button. */
  action: string;
  /** Until when the link works. */
  deadline(instant: string): string;
  mail: {
    subject(team: string): string;
    greeting(name: string | undefined): string;
    /** What this is and who sends it. */
    lead(team: string): string;
    /** In front of the link, where there is no button. */
    linkHere: string;
    /** In front of the link, below the button. */
    linkBelow: string;
    goodOnce: string;
    ignore: string;
  };
  page: {
    heading(team: string): string;
    /** Who invites. */
    lead(team: string): string;
    /** The name, if there is one, and the address. */
    forWhom(whom: string): string;
    ignore: string;
    joined(team: string): JoinText;
    /** Without a team where it is not known any more. */
    problems: Readonly<Record<JoinProblem, (team: string | undefined) => JoinText>>;
  };
}
