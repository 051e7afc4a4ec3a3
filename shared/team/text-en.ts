// Joining a team, in English.
import { connectLinkHours } from '../connections/connection.ts';
import { invitationDays } from './team.ts';
import type { TeamText } from './team-text.ts';

const askForInvitation = 'Ask the team for a new invitation.';

export const englishTeamText: TeamText = {
  locale: 'en-GB',
  instant: (date, time) => `${date}, ${time} UTC`,
  meaning: (team) =>
    `Joining makes you a member of the team. ${team}’s app can read your health data stored in the team’s account: the data that is already there, and the data that you add by connecting devices. Joining does not connect any device: you choose afterwards which devices to connect.`,
  leaving:
    'You can ask the team to remove you at any time. Your data is then no longer shared: the team’s app can no longer read it, and nothing new is added, unless you accept a new invitation. Your data is not deleted. If you want it deleted, ask the team.',
  action: 'Join the team',
  deadline: (instant) => `You can join until ${instant}.`,
  mail: {
    subject: (team) => `${team} invites you to its team on Daybook`,
    greeting: (name) => (name === undefined ? 'Hello,' : `Hello ${name},`),
    lead: (team) =>
      `${team} invites you to join its team on Daybook, where people keep the data from their wearables and health apps in one place.`,
    linkHere: 'Join the team:',
    linkBelow: 'If the button does not work, copy this address into your browser:',
    goodOnce: 'The link is for you alone and works once.',
    ignore: 'If you did not expect this message, ignore it: nothing happens unless you open the link and join.',
  },
  page: {
    heading: (team) => `Join ${team}`,
    lead: (team) => `${team} invites you to join its team on Daybook.`,
    forWhom: (whom) => `This invitation is for ${whom}.`,
    ignore: 'If you did not expect this invitation, close this page: nothing happens unless you join.',
    joined: (team) => ({
      heading: `You have joined ${team}`,
      text: 'There is nothing more to do here. You can close this page.',
    }),
    wearables: {
      text: 'Now choose which wearables to connect. Nothing from a device is shared until you connect it.',
      action: 'Choose your wearables',
      deadline: `This works for ${connectLinkHours} hours. After that, ask the team for a link.`,
    },
    problems: {
      unknown_link: () => ({
        heading: 'This invitation does not exist',
        text: 'The link is incomplete, or it did not come from us. Open it again from the message you received.',
      }),
      accepted: (team) => ({
        heading: team === undefined ? 'You have already joined' : `You have already joined ${team}`,
        text: 'This invitation has already been accepted. There is nothing more to do here.',
      }),
      revoked: () => ({ heading: 'This invitation is no longer valid', text: `It was withdrawn. ${askForInvitation}` }),
      expired: () => ({
        heading: 'This invitation has expired',
        text: `It was valid for ${invitationDays} days. ${askForInvitation}`,
      }),
      user_gone: () => ({
        heading: 'This invitation is no longer valid',
        text: `The profile it was created for was deleted. ${askForInvitation}`,
      }),
      team_closed: () => ({
        heading: 'Joining is not possible right now',
        text: 'The team cannot add members at the moment. Your invitation is still valid: try again later, or ask the team.',
      }),
    },
  },
};
