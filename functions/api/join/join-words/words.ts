// What the pages of an invitation say, to be said in every language. Names arrive as they were given, and are escaped where they are shown.
import type { JoinProblem } from '../../../../shared/domain/team/join.ts';

export interface JoinSentences {
  heading: string;
  text: string;
}

export interface JoinWords {
  /** How dates are written. */
  locale: string;
  heading(team: string): string;
  /** Who invites. */
  lead(team: string): string;
  /** The name, if there is one, and the address. */
  forWhom(whom: string): string;
  /** What joining means. */
  meaning(team: string): string;
  leaving: string;
  action: string;
  /** In front of the date. */
  deadline: string;
  ignore: string;
  joined(team: string): JoinSentences;
  /** Without a team where it is not known any more. */
  problems: Readonly<Record<JoinProblem, (team: string | undefined) => JoinSentences>>;
}
