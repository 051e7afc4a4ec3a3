// Joining a team, in English.
import type { JoinWords } from './words.ts';

const askAgain = 'Ask the team for a new invitation.';

export const joiningInEnglish: JoinWords = {
  locale: 'en-GB',
  heading: (team) => `Join ${team}`,
  lead: (team) => `${team} invites you to join its team on Daybook.`,
  forWhom: (whom) => `This invitation is for ${whom}.`,
  meaning: (team) =>
    `Once you have joined, the app of ${team} can see the health data that is kept for you in this team. Joining connects no device: you decide afterwards which ones you connect.`,
  leaving: 'You can ask the team to remove you at any time.',
  action: 'Join the team',
  deadline: 'You can join until',
  ignore: 'If you did not expect this invitation, close this page: nothing happens unless you join.',
  joined: (team) => ({
    heading: `You have joined ${team}`,
    text: 'There is nothing more to do here. You can close this page.',
  }),
  problems: {
    unknown_link: () => ({
      heading: 'This invitation does not exist',
      text: 'The link is not complete, or it is not one of ours. Open it again from the message you received.',
    }),
    accepted: (team) => ({
      heading: team === undefined ? 'You have already joined' : `You have already joined ${team}`,
      text: 'This invitation was accepted before. There is nothing more to do here.',
    }),
    revoked: () => ({ heading: 'This invitation is no longer valid', text: `It was withdrawn. ${askAgain}` }),
    expired: () => ({ heading: 'This invitation has expired', text: `It was good for 14 days. ${askAgain}` }),
    user_gone: () => ({
      heading: 'This invitation is no longer valid',
      text: `The profile it was made for was deleted. ${askAgain}`,
    }),
    team_closed: () => ({
      heading: 'Joining is not possible right now',
      text: 'The team cannot take anybody at the moment. Your invitation is kept: try again later, or ask the team.',
    }),
  },
};
