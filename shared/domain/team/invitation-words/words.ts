// What an invitation says, to be said in every language. A team's and a person's name arrive as text that is ready to be shown.
export interface InvitationWords {
  subject(team: string): string;
  greeting(name: string | undefined): string;
  /** What this is and who sends it. */
  lead(team: string): string;
  /** What joining means. */
  meaning: string;
  action: string;
  linkBelow: string;
  /** Until when the link works. */
  deadline(date: string): string;
  ignore: string;
  /** How dates are written. */
  locale: string;
}
